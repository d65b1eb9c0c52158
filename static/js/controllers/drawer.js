import { Controller } from "askweb/controllers.js";

/** The drawer is a `:target`. Escape closes it, as a person expects. */
export class Drawer extends Controller {
  connect() {
    this.on(document, "keydown", (event) => {
      if (event.key === "Escape" && location.hash === `#${this.element.id}`) this.#close();
    });
  }

  #close() {
    this.element.querySelector(".sidebar__close").click();
    document.querySelector(".topbar__menu").focus();
  }
}
