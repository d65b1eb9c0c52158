import { newId } from "askweb/ids.js";
import { DRAFTS, keep, kept } from "askweb/kept.js";

const LANGUAGE = "askweb.language";

/** What stands in the composer, kept in the browser for each conversation until it is sent. */
export class Draft {
  #form;
  #id = null;

  constructor(form) {
    this.#form = form;
    this.key = DRAFTS + (form.dataset.conversation || "new");
    const { text, language } = form.elements;
    if (!text.value) this.set(kept(this.key) ?? "");
    if (!language.value) language.value = kept(LANGUAGE) ?? "";
    if (language.selectedIndex < 0) language.value = "";
  }

  /** Any change makes it another post: only the same words twice are a double click. */
  keep() {
    this.#id = null;
    const { text, language } = this.#form.elements;
    keep(this.key, text.value);
    keep(LANGUAGE, language.value);
  }

  set(text) {
    const area = this.#form.elements.text;
    area.value = text;
    grow(area);
    if (text) this.keep();
  }

  clear() {
    this.#id = null;
    this.#form.elements.text.value = "";
    grow(this.#form.elements.text);
    keep(this.key, "");
  }

  envelope(images = []) {
    const { text, tool, language, pending, temporary } = this.#form.elements;
    this.#id ??= newId();
    const meta = {
      client_id: this.#id,
      surface: "control_ui",
      tool: tool.value || null,
      language: language.value || null,
    };
    if (images.length) meta.images = images;
    if (temporary?.checked) meta.store = false;
    if (this.#form.dataset.waits) meta.pending = pending.value;
    return { meta, messages: [{ role: "user", content: text.value }] };
  }
}

/** For browsers without `field-sizing: content`. */
export function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.blockSize = "auto";
  area.style.blockSize = `${area.scrollHeight}px`;
}
