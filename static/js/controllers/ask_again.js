import { Controller } from "askweb/controllers.js";
import { part } from "askweb/page.js";

/** Puts the person's words back into the composer. Where they aren't on this page, the link does it. */
export class AskAgain extends Controller {
  connect() {
    this.on(this.element, "click", (event) => this.#fill(event));
  }

  #fill(event) {
    const question = document.getElementById(`message-${this.element.dataset.question}`);
    if (!question || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const detail = part(question, "text").textContent;
    document.dispatchEvent(new CustomEvent("askweb:ask-again", { detail }));
  }
}
