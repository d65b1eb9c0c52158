import { get } from "askweb/api.js";

/** One list of conversations on the page. The address that it comes from says which ones belong into it. */
export class ListSection {
  #element;

  constructor(element) {
    this.#element = element;
  }

  /** Whether it begins with the newest one, so that new ones have a place in it. */
  get isLive() {
    return "live" in this.#element.dataset;
  }

  get isEmpty() {
    return !this.#element.childElementCount;
  }

  takes({ archived, pinned, page }) {
    const wanted = new URL(this.#element.dataset.from, location.href).searchParams;
    return (
      archived === (wanted.get("archived") === "true") &&
      [null, String(pinned)].includes(wanted.get("pinned")) &&
      [null, page.host].includes(wanted.get("host"))
    );
  }

  /** Put an item where it belongs, newest first. What has the focus keeps it. */
  place(item) {
    const older = [...this.#element.children].find((each) => each !== item && timeOf(each) < timeOf(item)) ?? null;
    if (item.parentNode === this.#element && item.nextElementSibling === older) return;
    const focused = item.contains(document.activeElement) && document.activeElement;
    this.#element.insertBefore(item, older);
    if (focused) focused.focus();
  }

  /** The newest of the server's; items that are none of them, though they would have to be, go. */
  async catchUp() {
    const { results, next } = await get(this.#element.dataset.from).catch(() => ({ results: null }));
    if (!results) return [];
    const oldest = next ? Date.parse(results.at(-1).updated) : Number.NEGATIVE_INFINITY;
    const known = new Set(results.map(({ id }) => id));
    for (const item of [...this.#element.children]) {
      if (!known.has(item.dataset.id) && timeOf(item) >= oldest) item.remove();
    }
    return results;
  }
}

function timeOf(item) {
  return Date.parse(item.dataset.updated);
}
