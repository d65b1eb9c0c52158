import { get } from "askweb/api.js";
import { announce, conversationPage, word } from "askweb/page.js";
import { isComposing } from "askweb/questions/composing.js";
import { Suggestions } from "askweb/suggestions.js";

const TOOL = /^\/([^\s/]*)$/u; // at the very beginning
const MENTION = /(?<=^|\s)@([^\s@]*)$/u; // at the beginning of any word
const INLINE = 200; // characters: what is longer, or has several lines, is quoted
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** `/` offers the tools of the select, `@` the fields of what came along with the newest question. */
export class ComposerPickers {
  #form;
  #suggestions;
  #mentions = null; // of this opening: what comes along later is offered the next time
  #dismissed = null; // where the sign stands that Escape was pressed on

  constructor(form, signal) {
    this.#form = form;
    this.#suggestions = new Suggestions(this.#text, form);
    const on = (type, act) => this.#text.addEventListener(type, act, { signal });
    on("input", (event) => !event.isComposing && this.#offer());
    on("compositionend", () => this.#offer());
    on("keydown", (event) => this.#key(event));
    on("click", () => this.#suggestions.close());
    on("blur", () => this.#suggestions.close());
  }

  #offer() {
    const before = this.#text.value.slice(0, this.#text.selectionStart);
    const typed = TOOL.exec(before) ?? MENTION.exec(before);
    if (!typed) this.#dismissed = this.#mentions = null;
    if (!typed || typed.index === this.#dismissed) return this.#suggestions.close();
    this.#dismissed = null;
    this.#suggestions.show(typed[0].startsWith("/") ? this.#tools(typed) : this.#fields(typed));
  }

  #key(event) {
    if (!this.#suggestions.isOpen || isComposing(event) || event.shiftKey || event.ctrlKey || event.metaKey) return;
    if (event.key in STEPS) this.#suggestions.move(STEPS[event.key]);
    else if (event.key === "Enter" || event.key === "Tab") this.#suggestions.pick();
    else if (event.key === "Escape") this.#dismiss();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation(); // this Enter sends nothing
  }

  #dismiss() {
    const before = this.#text.value.slice(0, this.#text.selectionStart);
    this.#dismissed = (TOOL.exec(before) ?? MENTION.exec(before))?.index ?? null;
    this.#suggestions.close();
  }

  #tools(typed) {
    const { tool } = this.#form.elements;
    return [...tool.options]
      .map(({ value, text }) => ({ name: text, about: `/${value}`, pick: () => this.#choose(value, text, typed) }))
      .filter((option) => isLike(option, typed[1]));
  }

  #choose(value, name, typed) {
    this.#form.elements.tool.value = value;
    this.#replace(typed, "");
    announce(word("tool_chosen").replace("{name}", name));
  }

  /** Nothing until they have come; then they are offered for what is typed by that time. */
  #fields(typed) {
    if (!this.#mentions) this.#fetch();
    return (this.#mentions ?? [])
      .map(({ kind, name, text }) => ({ name: `${kind}: ${name}`, about: text.slice(0, INLINE), text }))
      .map((option) => ({ ...option, pick: () => this.#mention(option, typed) }))
      .filter((option) => isLike(option, typed[1]));
  }

  async #fetch() {
    const { conversation } = this.#form.dataset;
    this.#mentions = [];
    if (!conversation) return;
    const found = await get(`${conversationPage(conversation)}mentions/`).catch(() => null);
    if (!found || !this.#mentions) return;
    this.#mentions = found.mentions;
    if (document.activeElement === this.#text) this.#offer();
  }

  #mention({ name, text }, typed) {
    this.#replace(typed, isShort(text) ? `${text} ` : quoted(text, typed.index > 0));
    announce(word("mentioned").replace("{name}", name));
  }

  #replace(typed, words) {
    this.#text.setRangeText(words, typed.index, typed.index + typed[0].length, "end");
    this.#text.dispatchEvent(new Event("input", { bubbles: true }));
  }

  get #text() {
    return this.#form.elements.text;
  }
}

function isLike({ name, about }, typed) {
  return `${name} ${about}`.toLocaleLowerCase().includes(typed.toLocaleLowerCase());
}

function isShort(text) {
  return text.length <= INLINE && !text.includes("\n");
}

/** As Markdown, on lines of its own. */
function quoted(text, hasBefore) {
  const lines = text.split("\n").map((line) => `> ${line}`.trimEnd());
  return `${hasBefore ? "\n\n" : ""}${lines.join("\n")}\n\n`;
}
