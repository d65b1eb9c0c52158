const BLOCK = 4000; // characters: a browser lays out a whole block again for each word added to it

/**
 * Text that grows at its end, as text nodes. Long text is split into blocks behind line breaks, which
 * looks the same, and keeps each addition cheap however long the text is.
 */
export class GrowingText {
  #element;
  #pending = "";
  #frame = 0;

  constructor(element) {
    this.#element = element;
  }

  set(text) {
    this.#pending = "";
    this.#element.replaceChildren();
    this.add(text);
  }

  add(text) {
    this.#pending += text;
    if (this.#pending && !this.#frame) this.#frame = requestAnimationFrame(() => this.flush());
  }

  flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    let rest = this.#pending;
    this.#pending = "";
    while (rest) rest = this.#fill(rest);
  }

  /** Put what fits into the last block; return the rest. */
  #fill(text) {
    const block = this.#lastBlock();
    const room = BLOCK - block.data.length;
    const end = text.indexOf("\n", Math.max(0, room)) + 1;
    block.appendData(end ? text.slice(0, end) : text);
    return end ? text.slice(end) : "";
  }

  #lastBlock() {
    const last = this.#element.lastElementChild?.firstChild;
    if (last && !(last.data.length >= BLOCK && last.data.endsWith("\n"))) return last;
    const block = document.createElement("div");
    this.#element.append(block);
    return block.appendChild(document.createTextNode(""));
  }
}
