import { ask } from "../asking.js";
import { words } from "../localise.js";
import { announce } from "./page.js";

/** The button that puts the messages before the first one above it, and nothing that is being read moves. */
export class Earlier {
  #button;
  #scroller;
  #transcript;
  #isBusy = false;

  constructor(button, { scroller, transcript, tell }) {
    this.#button = button;
    this.#scroller = scroller;
    this.#transcript = transcript;
    button.addEventListener("click", () => this.#click(tell));
    transcript.addEventListener("shown", () => this.#show());
  }

  #show() {
    const hadFocus = this.#button === document.activeElement;
    this.#button.hidden = this.#transcript.isWhole;
    if (hadFocus && this.#button.hidden) this.#goTo(this.#transcript.messages[0]);
  }

  async #click(tell) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { conversation, messages } = this.#transcript;
    const [{ id: before, parent }] = messages;
    try {
      const found = await ask("earlier", { conversation, before, parent });
      tell(null);
      if (conversation === this.#transcript.conversation) this.#put(found);
    } catch (problem) {
      tell(problem);
    } finally {
      this.#isBusy = false;
    }
  }

  #put(found) {
    this.#unmoved(() => this.#transcript.prepend(found));
    announce(words("earlier_shown", found.length));
  }

  /** Where there are no more, the button goes, and the focus with it. */
  #goTo(message) {
    if (!message) return;
    message.element.tabIndex = -1;
    message.element.focus({ preventScroll: true });
  }

  /** Chrome keeps the place itself, but not at the very top. */
  #unmoved(act) {
    const first = this.#transcript.messages[0].element;
    const before = first.getBoundingClientRect().top;
    this.#scroller.style.overflowAnchor = "none";
    act();
    this.#scroller.scrollTop += first.getBoundingClientRect().top - before;
    this.#scroller.style.overflowAnchor = "";
  }
}
