/** The button on a block of code: above the page, at its end, where neither its layout nor its style sheets meet it. */
askwebPage.define("code_button", ({ dom, marking }) => {
  const GAP = 4; // pixels to the edges of the window
  const LOOK = new CSSStyleSheet();
  LOOK.replaceSync(`
    button {
      all: initial; position: absolute; box-sizing: border-box; min-block-size: 26px; padding: 3px 10px;
      border: 1px solid #848d90; border-radius: 13px; background: #fff; color: #1a5a55; cursor: pointer;
      font: 500 13px / 18px system-ui, sans-serif; white-space: nowrap; pointer-events: auto;
      box-shadow: 0 1px 4px rgb(0 0 0 / 25%);
    }
    button:hover { background: #e3f0ee; }
    button:focus-visible { outline: 2px solid #1a5a55; outline-offset: 2px; box-shadow: 0 0 0 5px #fff; }
    @media (prefers-color-scheme: dark) {
      button { border-color: #69757a; background: #1f2427; color: #9adad2; }
      button:hover { background: #1d3835; }
      button:focus-visible { outline-color: #79c7bd; box-shadow: 0 0 0 5px #181c1e; }
    }
    @media print { button { display: none; } }
  `);

  class CodeButton {
    #block;
    #holder;
    #button;
    #over = new AbortController();
    #sizes = new ResizeObserver(() => this.#placeSoon());
    #asked = 0;

    /** `press` is called in the person's own click. */
    constructor(block, press) {
      this.#block = block;
      const page = dom.ownerDocument(block);
      this.#holder = marking.made(page, "askweb-code-button", marking.HELD);
      this.#button = marking.made(page, "button", {});
      this.#button.type = "button";
      this.#button.lang = chrome.i18n.getMessage("language").replace("_", "-");
      this.#button.textContent = chrome.i18n.getMessage("code_button");
      const root = this.#holder.attachShadow({ mode: "closed" });
      root.adoptedStyleSheets = [LOOK];
      root.append(this.#button);
      this.#button.addEventListener("click", (event) => event.isTrusted && press());
      for (const type of ["click", "keydown", "pointerdown"]) root.addEventListener(type, (event) => this.#keep(event));
      dom.append(marking.layerOf(block) ?? dom.documentElement(page), this.#holder);
      this.#follow(page);
      this.#place();
    }

    get block() {
      return this.#block;
    }

    has(node) {
      return node === this.#holder;
    }

    focus() {
      this.#button.focus();
    }

    remove() {
      this.#over.abort();
      this.#sizes.disconnect();
      cancelAnimationFrame(this.#asked);
      this.#holder.remove();
    }

    /** The page's own shortcuts and menus have nothing to do with it. Tab goes on from the block. */
    #keep(event) {
      event.stopPropagation();
      if (event.key !== "Tab") return;
      if (event.shiftKey) event.preventDefault();
      dom.focus(this.#block);
    }

    #follow(page) {
      const { signal } = this.#over;
      const view = dom.view(page);
      view.addEventListener("scroll", () => this.#placeSoon(), { signal, capture: true, passive: true });
      view.addEventListener("resize", () => this.#placeSoon(), { signal });
      for (const each of [this.#block, dom.documentElement(page)]) this.#sizes.observe(each);
    }

    #placeSoon() {
      cancelAnimationFrame(this.#asked);
      this.#asked = requestAnimationFrame(() => this.#place());
    }

    /** Half on the block's lower edge, so that it covers little code, and the pointer gets there over the block. */
    #place() {
      if (!dom.isConnected(this.#block)) return this.remove();
      const { right, bottom } = dom.rect(this.#block);
      const origin = dom.rect(this.#holder);
      const { width, height } = this.#button.getBoundingClientRect();
      const view = dom.view(dom.ownerDocument(this.#block));
      const left = Math.max(GAP, Math.min(right, view.innerWidth) - width - 2 * GAP);
      const top = Math.min(bottom - height / 2, view.innerHeight - height - GAP);
      marking.dress(this.#button, { left: `${left - origin.left}px`, top: `${top - origin.top}px` });
    }
  }

  return { CodeButton };
});
