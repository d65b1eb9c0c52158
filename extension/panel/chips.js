import { ask } from "../asking.js";
import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";
import { announce, part } from "./page.js";
import { forTool, pieces, without } from "./taken.js";

const ABOUT = 80; // characters

/** What goes along with the question: read when the panel is asked for a page, shown at once, each piece removable. */
export class Chips {
  #root;
  #tell;
  #wish = null;
  #taken = null; // { context, url }
  #removed = new Set();
  #kinds = [];

  /** `tell(problem)` is told what can't be read, and null when there is nothing to tell. */
  constructor(root, tell) {
    this.#root = root;
    this.#tell = tell;
    root.addEventListener("click", ({ target }) => this.#remove(target.closest("button[data-key]")));
    part(root, "again").addEventListener("click", () => this.read());
  }

  get tab() {
    return this.#wish?.tab ?? null;
  }

  /** Read another page, or the same one anew: whatever was removed before may be there again. Resolves to it, or to null. */
  take(wish) {
    this.#wish = wish;
    this.#removed = new Set();
    return this.read();
  }

  async read() {
    const wish = this.#wish;
    if (!wish) return null;
    this.#tell(null);
    this.#say(words("reading"));
    const taken = await ask("read", wish).catch((problem) => ({ problem }));
    if (wish !== this.#wish) return null; // another page was asked for meanwhile
    this.#taken = taken.problem ? null : taken;
    this.#tell(taken.problem ?? null);
    this.show();
    return this.#taken && this.#kept;
  }

  /**
   * What goes along now: the page as it is, while it is the one that is shown here; else as it was taken. Rejects where
   * its host was blocked meanwhile; then nothing goes along any more.
   */
  async fresh() {
    if (!this.#taken || !this.#shown.length) return [];
    const again = await ask("read", this.#wish).catch((problem) => problem);
    if (again.code === "page_blocked") {
      this.#taken = null;
      this.show();
      this.#tell(again);
      throw again;
    }
    if (again.url === this.#taken.url && isLike(again.context, this.#taken.context)) this.#taken = again;
    return this.#kept;
  }

  /** What kinds of context the chosen tool takes. */
  choose(kinds) {
    this.#kinds = kinds;
    if (this.#taken) this.show();
  }

  show() {
    const chips = this.#shown.map((piece) => chip(piece));
    part(this.#root, "chips").replaceChildren(...chips);
    part(this.#root, "again").hidden = !this.#wish;
    this.#say(chips.length ? "" : words("nothing_along"));
  }

  #remove(button) {
    if (!button) return;
    this.#removed.add(button.dataset.key);
    const next = button.closest("li").nextElementSibling?.querySelector("button") ?? part(this.#root, "again");
    const at = next.dataset.key;
    this.show();
    (at ? this.#root.querySelector(`[data-key="${at}"]`) : part(this.#root, "again")).focus();
    announce(button.getAttribute("aria-label"));
  }

  get #shown() {
    const all = this.#taken ? pieces(this.#taken.context) : [];
    const isParts = ({ name }) => name === "chip_parts";
    return all.filter((each) => !this.#removed.has(each.key) && (!isParts(each) || this.#kinds.includes("pageSearch")));
  }

  get #kept() {
    return forTool(without(this.#taken.context, this.#removed), this.#kinds);
  }

  #say(text) {
    part(this.#root, "said").textContent = text;
  }
}

/** What was removed is removed by its place: with other pieces it would be something else. */
function isLike(one, other) {
  const kinds = (context) => pieces(context).map(({ key, name }) => `${key} ${name}`);
  return String(kinds(one)) === String(kinds(other));
}

function chip({ key, name, about, count }) {
  const label = words(name);
  const told = count ? words("characters", count.toLocaleString()) : about.replace(/\s+/g, " ").slice(0, ABOUT);
  const remove = element(
    "button",
    { type: "button", className: "along__remove", "aria-label": words("remove_chip", label), "data-key": key },
    "×",
  );
  const title = about.slice(0, 1000);
  return element(
    "li",
    { className: "along__chip", title },
    element("strong", {}, label),
    " ",
    element("span", { className: "along__about", dir: "auto" }, told),
    remove,
  );
}
