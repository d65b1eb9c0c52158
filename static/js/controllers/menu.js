import { Controller } from "askweb/controllers.js";

/** A `<details>` that closes on Escape, and when the person turns to something else. */
export class Menu extends Controller {
  connect() {
    this.on(this.element, "keydown", (event) => event.key === "Escape" && this.#close());
    this.on(document, "pointerdown", ({ target }) => {
      if (!this.element.contains(target)) this.element.open = false;
    });
  }

  #close() {
    this.element.open = false;
    this.element.querySelector("summary").focus();
  }
}
