import { page } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { part, word } from "askweb/page.js";

/** Shows what a link leads to in a dialog, without leaving the conversation. */
export class Peek extends Controller {
  connect() {
    this.on(this.element, "click", (event) => this.#open(event));
  }

  async #open(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const body = part(document, "peek-body");
    try {
      const found = part(await page(this.element.href), "peeked");
      body.replaceChildren(document.importNode(found, true));
    } catch {
      body.textContent = word("load_failed");
    }
    body.scrollTop = 0;
    part(document, "peek").showModal();
  }
}
