import { Controller } from "askweb/controllers.js";

/** Opens the questions of a summary again, with the answers that were given. */
export class ChangeAnswer extends Controller {
  connect() {
    this.on(this.element, "click", (event) => {
      if (event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const detail = this.element.dataset.set;
      document.dispatchEvent(new CustomEvent("askweb:change-answer", { detail }));
    });
  }
}
