import { page } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { actOn } from "askweb/listed_item.js";
import { announce, part, word } from "askweb/page.js";

/** The buttons of the list of conversations, without leaving the page. Tells the list by "askweb:listed". */
export class Listing extends Controller {
  connect() {
    this.on(this.element, "submit", (event) => this.#submit(event));
    this.on(this.element, "keydown", (event) => event.key === "Escape" && this.#close(event));
    this.on(this.element, "click", (event) => this.#click(event));
    const seen = { signal: this.signal, capture: true }; // it doesn't bubble
    this.element.addEventListener("toggle", ({ target }) => target.open && show(target), seen);
  }

  async #submit(event) {
    event.preventDefault();
    const { submitter: button } = event;
    const item = button.closest("[data-id]");
    const neighbour = item.nextElementSibling ?? item.previousElementSibling;
    const { name, value: id } = button;
    button.disabled = true;
    part(this.element, "problem").textContent = "";
    try {
      const conversation = await actOn(button);
      if (!conversation && id === this.element.dataset.open) return location.assign("/#conversations");
      this.#tell({ id, conversation });
      announce(word(`done_${name}`));
      this.#settle(item, neighbour);
    } catch ({ message }) {
      part(this.element, "problem").textContent = message;
    } finally {
      button.disabled = false;
    }
  }

  /** The focus goes on from where it was, wherever the item is now. */
  #settle(item, neighbour) {
    part(item, "more").open = false;
    if (item.isConnected) return part(item, "more-of").focus();
    const next = neighbour?.isConnected ? neighbour.querySelector("a") : null;
    (next ?? document.getElementById("finder-words")).focus();
  }

  #close(event) {
    const opened = event.target.closest("details[open]");
    if (!opened) return;
    event.stopPropagation(); // else the drawer closes, too
    opened.open = false;
    opened.querySelector("summary").focus();
  }

  #click(event) {
    const link = event.target.closest("[data-part=older]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.ariaBusy !== "true") this.#loadOlder(link);
  }

  async #loadOlder(link) {
    link.ariaBusy = "true";
    const found = await page(link.href).catch(() => null);
    if (!found) return location.assign(link.href);
    const list = this.element.querySelector("[data-main]");
    const known = new Set([...this.element.querySelectorAll("[data-id]")].map((item) => item.dataset.id));
    const items = [...found.querySelectorAll("conversation-list [data-main] > li")];
    const fresh = items.filter((item) => !known.has(item.dataset.id)).map((item) => document.importNode(item, true));
    list.append(...fresh);
    const following = part(found, "older");
    if (following) link.replaceWith(document.importNode(following, true));
    else link.remove();
    fresh[0]?.querySelector("a").focus();
  }

  #tell(detail) {
    this.element.dispatchEvent(new CustomEvent("askweb:listed", { detail }));
  }
}

/** What unfolds at the end of the list would be out of sight. */
function show(details) {
  details.scrollIntoView({ block: "nearest" });
}
