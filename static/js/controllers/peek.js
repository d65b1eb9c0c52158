import { page } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { part, word } from "askweb/page.js";

/** Shows what a link leads to, or the image it holds, in a dialog, without leaving the conversation. */
export class Peek extends Controller {
  connect() {
    this.on(this.element, "click", (event) => this.#open(event));
  }

  async #open(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const body = part(document, "peek-body");
    const image = this.element.querySelector("img");
    if (image) return this.#show(body, image.cloneNode());
    try {
      const found = part(await page(this.element.href), "peeked");
      this.#show(body, document.importNode(found, true));
    } catch {
      this.#show(body, word("load_failed"));
    }
  }

  #show(body, content) {
    body.replaceChildren(content);
    body.scrollTop = 0;
    part(document, "peek").showModal();
  }
}
