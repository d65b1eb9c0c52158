import { page, postForm } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { part } from "askweb/page.js";

const PAUSE = 500; // milliseconds without a key

/** Shows what would be sent, as one types, and finds contexts to try the template on. */
export class ToolPreview extends Controller {
  #timers = {};
  #asked = 0;

  connect() {
    this.on(this.element, "input", ({ target }) => this.#change(target));
    this.on(this.element, "keydown", (event) => this.#key(event));
    this.signal.addEventListener("abort", () => Object.values(this.#timers).forEach(clearTimeout));
  }

  #change({ name }) {
    if (name === "search") return this.#later("search", () => this.#search());
    if (name === "pasted") this.#select("pasted");
    this.#later("preview", () => this.#preview());
  }

  /** Enter in a field would send the form; what it shows is there already. */
  #key(event) {
    if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
  }

  #later(what, act) {
    clearTimeout(this.#timers[what]);
    this.#timers[what] = setTimeout(act, PAUSE);
  }

  async #preview() {
    const asked = ++this.#asked;
    const shown = part(this.element, "previewed");
    shown.setAttribute("aria-busy", "true");
    try {
      const found = part(await postForm(this.element.dataset.preview, this.element), "preview");
      if (asked === this.#asked) this.#show(shown, found);
    } catch (problem) {
      if (asked === this.#asked) part(shown, "preview").textContent = problem.message;
    } finally {
      if (asked === this.#asked) shown.removeAttribute("aria-busy");
    }
  }

  /** What was unfolded stays so. */
  #show(shown, found) {
    const open = [...shown.querySelectorAll("details")].map((each) => each.open);
    shown.replaceChildren(document.importNode(found, true));
    [...shown.querySelectorAll("details")].forEach((each, at) => {
      each.open = open[at] ?? false;
    });
  }

  async #search() {
    const { contexts } = this.element.dataset;
    const { search, context } = this.element.elements;
    const query = new URLSearchParams({ search: search.value, context: context.value });
    try {
      const found = part(await page(`${contexts}&${query}`), "context");
      part(this.element, "contexts").replaceChildren(document.importNode(found, true));
    } catch (problem) {
      part(this.element, "previewed").textContent = problem.message;
    }
  }

  #select(key) {
    this.element.elements.context.value = key;
  }
}
