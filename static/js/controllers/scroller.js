import { Controller } from "askweb/controllers.js";
import { part } from "askweb/page.js";

const NEAR = 48; // pixels from the end that still count as being there

/** Stays at the newest words while the person is there, and leaves them alone while they read above. */
export class Scroller extends Controller {
  #isAtEnd = true;
  #top = 0; // where it was when last heard of

  connect() {
    const jump = part(document, "jump");
    const growth = new ResizeObserver(() => this.#follow());
    growth.observe(this.element);
    growth.observe(this.element.firstElementChild);
    this.signal.addEventListener("abort", () => growth.disconnect());
    this.on(this.element, "scroll", () => this.#notice());
    this.on(jump, "click", () => this.#toEnd());
    this.on(document, "askweb:sent", () => this.#toEnd());
    if (location.search.includes("before=")) this.#isAtEnd = false;
    this.#follow();
  }

  #follow() {
    if (this.#isAtEnd) this.element.scrollTop = this.element.scrollHeight;
    this.#offer();
  }

  /** Scrolling on is told of late, when there may be more already: only who scrolls back leaves the end. */
  #notice() {
    const { scrollTop } = this.element;
    this.#isAtEnd = this.#distance < NEAR || (this.#isAtEnd && scrollTop >= this.#top);
    this.#top = scrollTop;
    this.#offer();
  }

  #toEnd() {
    this.#isAtEnd = true;
    this.#follow();
  }

  #offer() {
    part(document, "jump").hidden = this.#isAtEnd || this.#distance < NEAR;
  }

  get #distance() {
    return this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight;
  }
}
