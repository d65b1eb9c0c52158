const PREFIX = "askweb.draft.";
const LANGUAGE = "askweb.language";

/** What stands in the composer, kept in the browser for each conversation until it is sent. */
export class Draft {
  #form;
  #key;
  #id = null;

  constructor(form) {
    this.#form = form;
    this.#key = PREFIX + (form.dataset.conversation || "new");
    const { text, language } = form.elements;
    if (!text.value) this.set(read(this.#key) ?? "");
    if (!language.value) language.value = read(LANGUAGE) ?? "";
    if (language.selectedIndex < 0) language.value = "";
  }

  /** Any change makes it another post: only the same words twice are a double click. */
  keep() {
    this.#id = null;
    const { text, language } = this.#form.elements;
    write(this.#key, text.value);
    write(LANGUAGE, language.value);
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
    write(this.#key, "");
  }

  envelope() {
    const { text, tool, language, pending, temporary } = this.#form.elements;
    this.#id ??= newId();
    const meta = {
      client_id: this.#id,
      surface: "control_ui",
      tool: tool.value || null,
      language: language.value || null,
    };
    if (temporary?.checked) meta.store = false;
    if (this.#form.dataset.waits) meta.pending = pending.value;
    return { meta, messages: [{ role: "user", content: text.value }] };
  }
}

/** Nothing that was typed stays behind on a machine that someone else may use next. */
export function forgetDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    return;
  }
}

/** For browsers without `field-sizing: content`. */
export function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.blockSize = "auto";
  area.style.blockSize = `${area.scrollHeight}px`;
}

/** `randomUUID` exists on secure origins only; AskWeb may be opened over http from another machine. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage can be switched off
  }
}

function write(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    return;
  }
}
