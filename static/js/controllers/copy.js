import { get } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { part, word } from "askweb/page.js";

const SHOWN_FOR = 2000;

/** Copies a message as the Markdown that the model wrote. */
export class Copy extends Controller {
  connect() {
    this.on(this.element, "click", () => this.#copy());
  }

  async #copy() {
    try {
      const { content } = await get(`/api/messages/${this.element.dataset.message}/`);
      await write(content);
      this.#say("copied");
    } catch {
      this.#say("copy_failed");
    }
  }

  #say(name) {
    const label = part(this.element, "label");
    label.textContent = word(name);
    setTimeout(() => (label.textContent = word("copy")), SHOWN_FOR);
  }
}

/** The clipboard's own interface exists on secure origins only. */
async function write(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("copying was refused");
}
