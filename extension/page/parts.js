/**
 * The parts of a page: headings, paragraphs, list items, cells, blocks of code, and whatever other block holds text of
 * its own. A part's digest is the first run of its own text, in one line; nested parts have their own.
 */
askwebPage.define("parts", ({ limits, cutting, paths }) => {
  const ENOUGH = 2 * limits.DIGEST;
  const PIECE = 4_096; // of a text is looked at

  class Parts {
    #entries = new Map(); // box → {text, isOver}
    #last = null; // the box whose text came last
    #isApart = false;

    get isFull() {
      return this.#entries.size >= limits.PARTS;
    }

    get size() {
      return this.#entries.size;
    }

    enter(box) {
      if (box.isBlock) this.#isApart = true;
    }

    leave(box) {
      if (box.isBlock) this.#isApart = true;
    }

    lineBreak() {
      this.#isApart = true;
    }

    text(box, text) {
      const words = text.slice(0, PIECE).replace(/\s+/g, " ");
      if (words === " ") this.#isApart = true;
      if (words.trim() === "") return;
      const owner = this.#ownerOf(box);
      if (owner) this.#add(owner, box.block, words);
      this.#isApart = false;
    }

    /** `{xpath, digest}` of each in the order of the page, with its element. */
    list() {
      const known = new paths.Paths();
      const found = [...this.#entries].map(([{ element }, { text }]) => {
        return { xpath: known.of(element), digest: cutting.cut(text.trim(), limits.DIGEST).trim(), element };
      });
      return found.filter(({ xpath, digest }) => xpath && digest);
    }

    /** A list item or cell of many blocks is cut into them after its digest. */
    #ownerOf({ part, block }) {
      const entry = this.#entries.get(part);
      if (!part || !entry || part.code || !block) return part ?? block;
      return block.depth > part.depth && entry.text.length >= limits.DIGEST && entry.block !== block ? block : part;
    }

    #add(owner, block, words) {
      if (!this.#entries.has(owner)) {
        if (this.isFull) return;
        this.#entries.set(owner, { text: "", isOver: false, block });
      }
      const entry = this.#entries.get(owner);
      if (this.#last !== owner && entry.text) entry.isOver = true;
      this.#last = owner;
      if (entry.isOver || entry.text.length >= ENOUGH) return;
      entry.text += this.#isApart ? ` ${words}` : words;
      entry.text = entry.text.replace(/\s+/g, " ");
      entry.block = block;
    }
  }

  return { Parts };
});
