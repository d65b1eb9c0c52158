/**
 * A mark over an element: above the page, without room, clicks or style sheets. No style of the page reaches it: its
 * holder has `all: initial` in its own style, which nothing overrules, and a closed shadow root.
 */
askwebPage.define("marking", ({ dom }) => {
  const HTML = "http://www.w3.org/1999/xhtml";
  const ROOM = 4; // pixels around the text
  const HELD = {
    all: "initial",
    display: "block",
    position: "fixed",
    inset: "0 auto auto 0",
    "z-index": "2147483647",
    "pointer-events": "none",
  };
  const LOOK = {
    position: "absolute",
    "box-sizing": "border-box",
    border: "2px solid #8a5a00",
    "border-radius": "4px",
    background: "rgb(255 213 0 / 25%)",
    "box-shadow": "0 0 0 2px #fff",
  };
  const FORCED = { "border-color": "Highlight", background: "none" };
  const COMING = [{ opacity: 0, transform: "scale(1.03)" }, {}];
  const TOP_LAYER = ":modal, :popover-open, :fullscreen"; // what is in there would cover the mark

  class Mark {
    #element;
    #holder;
    #mark;
    #over = new AbortController();
    #sizes = new ResizeObserver(() => this.#placeSoon());
    #asked = 0;

    constructor(element, { isStill }) {
      this.#element = element;
      const page = dom.ownerDocument(element);
      this.#holder = made(page, "askweb-highlight", HELD);
      this.#mark = made(page, "div", matchMedia("(forced-colors: active)").matches ? { ...LOOK, ...FORCED } : LOOK);
      this.#holder.attachShadow({ mode: "closed" }).append(this.#mark);
      dom.append(layerOf(element) ?? dom.documentElement(page), this.#holder);
      this.#follow(page);
      this.#place();
      if (!isStill) this.#mark.animate(COMING, { duration: 500, easing: "ease-out" });
    }

    remove() {
      this.#over.abort();
      this.#sizes.disconnect();
      cancelAnimationFrame(this.#asked);
      this.#holder.remove();
    }

    #follow(page) {
      const { signal } = this.#over;
      const view = dom.view(page);
      view.addEventListener("scroll", () => this.#placeSoon(), { signal, capture: true, passive: true });
      view.addEventListener("resize", () => this.#placeSoon(), { signal });
      for (const each of [this.#element, dom.documentElement(page)]) this.#sizes.observe(each);
    }

    #placeSoon() {
      cancelAnimationFrame(this.#asked);
      this.#asked = requestAnimationFrame(() => this.#place());
    }

    /** Where its holder really is, counts: in pages with a transform, "fixed" isn't. */
    #place() {
      if (!dom.isConnected(this.#element)) return this.remove();
      const { left, top, right, bottom } = around(this.#element);
      const origin = dom.rect(this.#holder);
      dress(this.#mark, {
        left: `${left - origin.left}px`,
        top: `${top - origin.top}px`,
        width: `${right - left}px`,
        height: `${bottom - top}px`,
      });
    }
  }

  function layerOf(element) {
    const found = dom.closest(element, TOP_LAYER);
    const root = dom.rootNode(element);
    return found || dom.type(root) === dom.DOCUMENT ? found : layerOf(dom.host(root));
  }

  /** With some room, but for what would lie beyond the window's edges. */
  function around(element) {
    const { left, top, right, bottom } = dom.rect(element);
    const { innerHeight } = dom.view(dom.ownerDocument(element));
    const width = dom.clientWidth(dom.documentElement(dom.ownerDocument(element)));
    return {
      left: Math.max(left - ROOM, Math.min(left, 0)),
      top: Math.max(top - ROOM, Math.min(top, 0)),
      right: Math.min(right + ROOM, Math.max(right, width)),
      bottom: Math.min(bottom + ROOM, Math.max(bottom, innerHeight)),
    };
  }

  function made(page, name, look) {
    const element = dom.createElementNS(page, HTML, name);
    dress(element, look);
    return element;
  }

  function dress(element, look) {
    for (const [name, value] of Object.entries(look)) element.style.setProperty(name, value, "important");
  }

  return { Mark, HELD, layerOf, made, dress };
});
