import { part } from "askweb/page.js";

/**
 * Open or collapsed. An open panel takes the composer's place; `data-beside` leaves the composer there as long as
 * the focus is in it, since the focus is never taken from anything that can be typed in.
 */
export class PanelState {
  #root;

  constructor(root) {
    this.#root = root;
  }

  get isOpen() {
    return this.#root.dataset.state === "open";
  }

  /** For a panel that comes while the person may be typing somewhere. */
  arrive() {
    const focused = document.activeElement;
    const isComposer = focused?.id === "composer-text" || location.hash === "#composer-text";
    const typesElsewhere = !isComposer && isEditable(focused) && !this.#root.contains(focused);
    const composed = document.getElementById("composer-text")?.value;
    if (typesElsewhere || (isComposer && composed)) return this.collapse();
    this.openBeside();
  }

  openBeside() {
    this.open();
    this.#root.toggleAttribute("data-beside", document.activeElement?.id === "composer-text");
  }

  open() {
    this.#show(true);
  }

  collapse() {
    const hadFocus = part(this.#root, "body").contains(document.activeElement);
    const hadButton = part(this.#root, "actions").contains(document.activeElement);
    this.#show(false);
    if (hadFocus || hadButton) part(this.#root, "toggle").focus();
  }

  toggle() {
    if (this.isOpen) this.collapse();
    else this.open();
  }

  #show(isOpen) {
    this.#root.removeAttribute("data-beside");
    this.#root.dataset.state = isOpen ? "open" : "collapsed";
    part(this.#root, "toggle").setAttribute("aria-expanded", String(isOpen));
  }
}

function isEditable(element) {
  return Boolean(element?.matches("textarea, select, input, [contenteditable]"));
}
