import { announce, copyOf, part, word } from "askweb/page.js";

/**
 * A listbox that belongs to a text field, which keeps the focus: the ARIA pattern of a combobox, but for the role,
 * which a field of several lines may not have. Options are { name, about, pick }.
 */
export class Suggestions {
  #field;
  #list;
  #template;
  #options = [];
  #active = 0;

  constructor(field, form) {
    this.#field = field;
    this.#list = part(form, "suggestions");
    this.#template = part(form, "suggestion-template");
    this.#list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    field.setAttribute("aria-controls", this.#list.id);
    field.setAttribute("aria-autocomplete", "list");
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  show(options) {
    if (!options.length) return this.close();
    const isSame = this.isOpen && options.length === this.#options.length;
    this.#options = options;
    this.#list.replaceChildren(...options.map((option, index) => this.#item(option, index)));
    this.#list.hidden = false;
    this.#activate(0);
    if (!isSame) announce(countWords(options.length));
  }

  close() {
    if (!this.isOpen) return;
    this.#list.hidden = true;
    this.#list.replaceChildren();
    this.#field.removeAttribute("aria-activedescendant");
  }

  move(step) {
    this.#activate((this.#active + step + this.#options.length) % this.#options.length);
  }

  pick(index = this.#active) {
    const { pick } = this.#options[index];
    this.close();
    pick();
  }

  #item({ name, about }, index) {
    const item = copyOf(this.#template);
    item.id = `${this.#list.id}-${index}`;
    part(item, "name").textContent = name;
    part(item, "about").textContent = about;
    item.addEventListener("click", () => this.pick(index));
    return item;
  }

  #activate(index) {
    this.#list.children[this.#active]?.setAttribute("aria-selected", "false");
    const item = this.#list.children[index];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    this.#active = index;
    this.#field.setAttribute("aria-activedescendant", item.id);
  }
}

function countWords(count) {
  return count === 1 ? word("one_suggestion") : word("suggestions").replace("{count}", count);
}
