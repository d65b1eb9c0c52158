import { GrowingText } from "/shared/growing_text.js";

const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const MAY_BE_FENCE = /^[ \t]*(`{0,2}|`{3,}[^`]*|~{0,2}|~{3,}.*)$/;
const LONGEST_FENCE = 200; // characters: what is longer is shown before its line ends

/** The end of a reply that is still open, as text: code in `<pre>`, all else as it is written. */
export class OpenText {
  #text = "";
  #held = ""; // a line that may become a fence
  #begun = false; // the line has been shown so far
  #fence = "";
  #part = null;

  constructor(element) {
    this.element = element;
  }

  get text() {
    return this.#text;
  }

  set(text) {
    this.element.replaceChildren();
    this.#text = this.#held = this.#fence = "";
    this.#begun = false;
    this.#part = null;
    this.add(text);
  }

  add(text) {
    this.#text += text;
    for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) this.#take(piece);
    this.#part?.flush();
  }

  /** Take a line or a part of one. */
  #take(piece) {
    const line = this.#held + piece;
    const isWhole = line.endsWith("\n");
    this.#held = "";
    if (!this.#begun) {
      if (isWhole && this.#turnsAt(line)) return;
      if (!isWhole && line.length < LONGEST_FENCE && MAY_BE_FENCE.test(line)) {
        this.#held = line;
        return;
      }
    }
    if (!this.#part && !line.trim()) return; // blank lines between paragraphs
    this.#begun = !isWhole;
    this.#part ??= this.#made("div");
    this.#part.add(line);
  }

  /** Whether code begins or ends with this line, which is not shown then. */
  #turnsAt(line) {
    const sign = FENCE.exec(line.trimEnd())?.[1];
    if (!sign) return false;
    if (!this.#fence) {
      this.#turn(sign, this.#made("pre"));
      return true;
    }
    const closes = sign.startsWith(this.#fence) && line.trim() === sign;
    if (closes) this.#turn("", null);
    return closes;
  }

  #turn(fence, part) {
    this.#part?.flush();
    this.#fence = fence;
    this.#part = part;
  }

  #made(name) {
    const element = document.createElement(name);
    element.className = "plain";
    element.dir = name === "pre" ? "ltr" : "auto";
    this.element.append(element);
    return new GrowingText(element);
  }
}
