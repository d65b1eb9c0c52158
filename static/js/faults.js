import { copyOf, part } from "askweb/page.js";

/** The list of what is wrong with a template. Each place is a link that leads the caret there. */
export class FaultList {
  #root;
  #goTo;

  constructor(root, goTo) {
    this.#root = root;
    this.#goTo = goTo;
  }

  /** A click on a place in the list, be it rendered here or by the server. */
  follow(event) {
    const place = event.target.closest("[data-line]");
    if (!place) return;
    event.preventDefault();
    this.#goTo(Number(place.dataset.line), Number(place.dataset.column));
  }

  show({ errors, warnings }) {
    const items = [
      ...errors.map((fault) => this.#item(fault, "error")),
      ...warnings.map((fault) => this.#item(fault, "warning")),
    ];
    part(this.#root, "faults").replaceChildren(...items);
  }

  /** The lines that have an error of their own; those of snippets stand elsewhere. */
  get lines() {
    const items = [...part(this.#root, "faults").querySelectorAll('[data-kind="error"]')];
    const own = items.filter((item) => !part(item, "unit").textContent);
    return new Set(own.map((item) => Number(item.querySelector("[data-line]").dataset.line)));
  }

  #item(fault, kind) {
    const item = copyOf(part(this.#root, "fault"));
    item.dataset.kind = kind;
    Object.assign(item.querySelector("[data-line]").dataset, { line: fault.line, column: fault.column });
    for (const name of ["unit", "line", "column", "message", "hint", "snippet"])
      part(item, name).textContent = fault[name];
    return item;
  }
}
