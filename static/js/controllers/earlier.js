import { page } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { announce, part, word } from "askweb/page.js";

/** Puts the messages before the first one above it, and nothing that is being read moves. */
export class Earlier extends Controller {
  #isBusy = false;

  connect() {
    this.on(this.element, "click", (event) => this.#click(event));
  }

  async #click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (this.#isBusy) return;
    this.#isBusy = true;
    const found = await page(this.element.href).catch(() => null);
    this.#isBusy = false;
    if (found) this.#add(found);
    else location.assign(this.element.href);
  }

  #add(found) {
    const older = [...part(found, "log").children]
      .filter(({ id }) => !document.getElementById(id))
      .map((message) => document.importNode(message, true));
    this.#unmoved(() => {
      part(this.#transcript, "log").prepend(...older);
      part(this.#transcript, "asked-first").replaceWith(document.importNode(part(found, "asked-first"), true));
      this.#goOn(part(found, "earlier"), older[0]);
    });
    announce(word("earlier_shown").replace("{count}", older.length));
  }

  /** Where there are no more, the link goes, and the focus with it. */
  #goOn(next, first) {
    this.element.setAttribute("href", next.getAttribute("href"));
    const hadFocus = this.element === document.activeElement;
    this.element.hidden = next.hidden;
    if (!next.hidden || !hadFocus || !first) return;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
  }

  /** Browsers keep the place themselves, but not at the very top, and Safari nowhere. */
  #unmoved(act) {
    const scroller = this.element.closest(".scroller");
    const first = part(this.#transcript, "log").firstElementChild;
    const before = first?.getBoundingClientRect().top ?? 0;
    scroller.style.overflowAnchor = "none";
    act();
    if (first) scroller.scrollTop += first.getBoundingClientRect().top - before;
    scroller.style.overflowAnchor = "";
  }

  get #transcript() {
    return this.element.closest("live-transcript");
  }
}
