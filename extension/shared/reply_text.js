import { OpenText } from "/shared/open_text.js";
import { nodesOf, part } from "/panel/page.js";

const RULE = "hr[data-question-set]";
const SUMMARY = '[data-part="summary"]';

/**
 * A reply's text while it is written: blocks that the server has rendered, never touched again, and what follows
 * them as text. Offsets of the server count code points. Text and blocks are shown once a frame.
 */
export class ReplyText {
  #element;
  #open = null; // for the text behind the blocks; there while there is any
  #shown = 0; // code points that the nodes before it stand for
  #written = new WeakMap(); // each node's HTML as it came: whatever scripts and the person do to nodes
  #text = "";
  #blocks = [];
  #frame = 0;

  constructor(element) {
    this.#element = element;
  }

  /** Whether all that there is stands there as HTML. */
  get isWhole() {
    return !this.#rest;
  }

  /** Show a message as it is now; nodes that are right stay what they are. */
  show({ content, html, rendered }) {
    this.#forget();
    this.#become(html);
    this.#shown = rendered;
    this.#setOpen(content.slice(endOf(content, rendered)));
  }

  /** The last word: HTML of the whole. */
  finish(html) {
    this.#forget();
    this.#setOpen("");
    this.#become(html);
  }

  add(text) {
    this.#text += text;
    this.#soon();
  }

  /** Put HTML in place of the text that it covers. False when it does not fit what is shown. */
  addBlock({ start, end, html }) {
    const shown = this.#blocks.at(-1)?.end ?? this.#shown;
    if (end <= shown) return true;
    if (start < shown) return false;
    this.#blocks.push({ start, end, html });
    this.#soon();
    return true;
  }

  /** Whether questions were asked that have no summary here yet. */
  get isToSumUp() {
    return Boolean(this.#element.querySelector(RULE));
  }

  /** Put summaries, as this message of the server's has them, where the questions were asked. */
  sumUp(fresh) {
    for (const found of part(fresh, "text").querySelectorAll(SUMMARY)) {
      const id = CSS.escape(found.dataset.set);
      const here = this.#element.querySelector(`${SUMMARY}[data-set="${id}"], hr[data-question-set="${id}"]`);
      here?.replaceWith(document.importNode(found, true));
    }
  }

  get #rest() {
    return (this.#open?.text ?? "") + this.#text;
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  #forget() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#text = "";
    this.#blocks = [];
  }

  #flush() {
    const text = this.#text;
    const rest = this.#rest;
    const blocks = this.#blocks;
    this.#forget();
    if (!blocks.length) return this.#opened().add(text);
    const left = blocks.reduce((text, block) => this.#place(block, text), rest);
    this.#setOpen(""); // and anew below the blocks: an element that moved there would be a jump of the page
    this.#setOpen(left);
  }

  /** Show a block, and before it, as text, what no block covers; return the rest. */
  #place({ start, end, html }, text) {
    const from = endOf(text, start - this.#shown);
    const to = endOf(text, end - this.#shown);
    const nodes = nodesOf(html);
    this.#note(nodes.childNodes);
    if (from) nodes.prepend(plain(text.slice(0, from)));
    this.#element.insertBefore(nodes, this.#open?.element ?? null);
    this.#shown = end;
    return text.slice(to);
  }

  #setOpen(text) {
    if (text) return this.#opened().set(text);
    part(this.#element, "open")?.remove();
    this.#open = null;
  }

  #opened() {
    if (this.#open) return this.#open;
    const element = part(this.#element, "open") ?? document.createElement("div");
    element.className = "prose";
    element.dataset.part = "open";
    this.#element.append(element);
    this.#open = new OpenText(element);
    return this.#open;
  }

  /** Replace nodes by those of this HTML, but for what is the same at the beginning and at the end. */
  #become(html) {
    const wanted = [...nodesOf(html).childNodes];
    const open = part(this.#element, "open");
    const shown = [...this.#element.childNodes].filter((node) => node !== open);
    const most = Math.min(wanted.length, shown.length);
    let first = 0;
    while (first < most && this.#isSame(shown[first], wanted[first])) first += 1;
    let last = 0;
    while (last < most - first && this.#isSame(shown.at(-1 - last), wanted.at(-1 - last))) last += 1;
    const before = shown[shown.length - last] ?? open;
    const fresh = wanted.slice(first, wanted.length - last);
    this.#note(fresh);
    for (const node of shown.slice(first, shown.length - last)) node.remove();
    for (const node of fresh) this.#element.insertBefore(node, before);
  }

  #note(nodes) {
    for (const node of nodes) this.#written.set(node, htmlOf(node));
  }

  #isSame(shown, wanted) {
    return (this.#written.get(shown) ?? htmlOf(shown)) === htmlOf(wanted);
  }
}

/** A summary stands for the rule that the HTML has in its place. */
function htmlOf(node) {
  if (node.matches?.(SUMMARY)) return `<hr data-question-set="${node.dataset.set}">`;
  return node.outerHTML ?? node.data;
}

function plain(text) {
  const element = document.createElement("div");
  element.className = "plain";
  element.dir = "auto";
  element.textContent = text;
  return element;
}

/** Where in a text so many code points end. */
function endOf(text, count) {
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left -= 1) end += text.codePointAt(end) > 0xffff ? 2 : 1;
  return end;
}
