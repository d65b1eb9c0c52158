/**
 * A copy of what is shown, in a document of its own that runs and loads nothing. Code blocks are one text each. What
 * computed style says is kept in two attributes: `data-gap`, the line breaks around a block, and `data-keeps`.
 */
askwebPage.define("copying", ({ dom, limits, cutting, lines, code_blocks: codeBlocks }) => {
  const COPIED = "id class role itemprop data-answerid data-questionid data-value data-testid".split(" ");
  const NAME = /^[a-z][a-z0-9-]*$/;
  const AS_DIV = new Set(["body", "form", "frame", "frameset", "html", "iframe"]);
  const APART = new Set("p h1 h2 h3 h4 h5 h6 pre code blockquote table figure ul ol dl".split(" "));
  const PLAIN = new Set("span b strong i em u s small big font mark tt wbr".split(" "));
  const LISTS = new Set(["ul", "ol", "dl"]);

  class Copying {
    #code = null; // the lines of the code block that we are in
    length = 0;
    elements = 0;
    document = dom.inertDocument();
    codes = new Map(); // code block of the page → its copy

    /** Of a selection, as of code, what can't be selected is left out. */
    constructor({ isSelection = false } = {}) {
      this.isSelection = isSelection;
    }

    get isFull() {
      return this.length >= limits.CONTENT;
    }

    enter(box) {
      if (this.#code) return this.#below(box);
      if (this.isFull) return;
      box.copy = this.#copyOf(box);
      if (box.code) this.#code = new lines.Lines();
    }

    text(box, text) {
      if ((this.#code || this.isSelection) && !isSelectable(box)) return;
      if (this.isFull) return;
      const kept = cutting.cut(text, limits.CONTENT - this.length);
      this.length += kept.length;
      if (this.#code) this.#code.text(kept, box.keeps);
      else box.copy?.append(box.keeps ? this.#keeping(kept, box.keeps) : kept);
    }

    lineBreak(box) {
      if (this.#code) this.#code.lineBreak();
      else if (!this.isFull) box.copy?.append(this.#keeping("\n", "all"));
    }

    /** With its text, since Readability puts paragraphs in between; and of `<br>`, it would make paragraphs. */
    #keeping(text, keeps) {
      this.elements += 1;
      const element = this.document.createElement("span");
      element.setAttribute("data-keeps", keeps);
      element.append(text);
      return element;
    }

    leave(box) {
      if (!this.#code) return;
      if (box.code === box) this.#endCode(box);
      else this.#below(box);
    }

    /** Lines of code that are elements, as some highlighters make them. */
    #below(box) {
      if (box.isBlock) this.#code.below(1);
    }

    #endCode(box) {
      box.copy.textContent = String(this.#code);
      box.copy.setAttribute("data-code", codeBlocks.languageOf(box.element));
      this.codes.set(box.element, box.copy);
      this.#code = null;
    }

    /** The document's own elements stand for the outermost ones. */
    #copyOf(box) {
      const into = box.outer.copy;
      const { documentElement, body } = this.document;
      if (!into) return documentElement;
      if (box.name === "body" && into === documentElement) return dress(body, box);
      if ((box.depth > limits.DEPTH && !box.code) || isPlain(box)) return into;
      this.elements += 1;
      const copy = this.document.createElement(nameOf(box));
      into.append(dress(copy, box));
      return copy;
    }
  }

  /** Numbers of lines and buttons to copy with aren't meant to be. */
  function isSelectable({ element }) {
    return getComputedStyle(element).userSelect !== "none" && dom.closest(element, "button") === null;
  }

  /** Its text says as much without it. */
  function isPlain({ element, name, isBlock }) {
    return PLAIN.has(name) && !isBlock && !dom.has(element, "class") && !dom.has(element, "id");
  }

  /** No names that pages could give to the copy's own properties: of forms, frames and unheard-of elements. */
  function nameOf({ name, code }) {
    if (code) return "pre";
    if (AS_DIV.has(name)) return "div";
    return NAME.test(name) ? name : "span";
  }

  function dress(copy, box) {
    for (const name of COPIED) {
      const value = dom.attribute(box.element, name);
      if (value && value.length <= limits.ATTRIBUTE) copy.setAttribute(name, value);
    }
    const link = box.name === "a" ? dom.link(box.element) : "";
    if (link && link.length <= limits.ATTRIBUTE) copy.setAttribute("href", link);
    const gap = gapOf(box);
    if (gap) copy.setAttribute("data-gap", gap);
    return copy;
  }

  function gapOf({ name, display, isBlock, outer }) {
    if (display === "table-cell") return "cell";
    if (!isBlock) return name === "p" || name === "div" ? "0" : "";
    const isInItem = LISTS.has(name) && outer.name === "li";
    return APART.has(name) && !isInItem ? "2" : "1";
  }

  return { Copying };
});
