import { page } from "askweb/api.js";
import { draftOf } from "askweb/controllers/editing.js";
import { Controller } from "askweb/controllers.js";
import { part } from "askweb/page.js";

/** Opens the form for a message's words in the message itself; at once where something was typed before a reload. */
export class Edit extends Controller {
  connect() {
    this.on(this.element, "click", (event) => this.#click(event));
    if (draftOf(this.element.dataset.message)) this.#open();
  }

  async #click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await this.#open();
    const text = this.#message.querySelector("textarea");
    if (!text) return location.assign(this.element.href);
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  }

  async #open() {
    if (part(this.#message, "editing")) return;
    const found = await page(this.element.href).catch(() => null);
    const form = found && part(found, "editing");
    if (!form || part(this.#message, "editing")) return;
    part(this.#message, "text").before(document.importNode(form, true));
  }

  get #message() {
    return this.element.closest("chat-message");
  }
}
