/**
 * One way through all that is shown: open shadow roots in place of their hosts' children, slots with what is put
 * into them, frames of the same origin. Visitors are told `enter(box)`, `text(box, text)`, `lineBreak(box)` and `leave(box)`.
 */
askwebPage.define("walk", ({ dom, limits, clipping, boxes, flat_tree: flatTree }) => {
  const MEASURED = 10_000; // characters of a text: whether it is seen is told by its beginning

  const TEXTS = new Set([dom.TEXT, dom.CDATA]);

  class Walk {
    #visitors;
    #range;
    #blocked;
    #elements = 0;
    #open = []; // the boxes that we are in, with their children
    #measure = new Range();
    roots = []; // documents and shadow roots that were come through
    leftOut = [];

    constructor(root, visitors, { range = null, blocked = [] } = {}) {
      this.#visitors = visitors;
      this.#range = range;
      this.#blocked = blocked;
      const isDocument = dom.type(root) === dom.DOCUMENT;
      const element = isDocument ? dom.documentElement(root) : dom.host(root);
      this.roots.push(root);
      const box = element && boxes.outermost(element);
      if (box) this.#into(box, isDocument ? dom.children(element) : dom.children(root));
    }

    /** Go on for so many milliseconds at most; true when there is nothing left. */
    run(milliseconds) {
      const end = performance.now() + milliseconds;
      for (let step = 1; this.#open.length > 0; step += 1) {
        if (step % 16 === 0 && performance.now() > end) return false;
        this.#step();
        if (this.#visitors.every((visitor) => visitor.isFull)) this.#open.length = 0;
      }
      return true;
    }

    leaveOut(what, name = "") {
      if (this.leftOut.length < limits.LEFT_OUT) this.leftOut.push({ what, name });
    }

    #step() {
      const [box, children] = this.#open.at(-1);
      const node = children.pop();
      if (node === undefined) this.#leave(box);
      else if (this.#range && !this.#range.intersectsNode(node)) return;
      else if (TEXTS.has(dom.type(node))) this.#text(box, node);
      else if (dom.type(node) === dom.ELEMENT) this.#element(box, node);
    }

    #element(outer, element) {
      this.#elements += 1;
      if (this.#elements === limits.ELEMENTS) return this.#stop();
      const box = boxes.boxOf(element, outer);
      if (!box) return;
      if (box.name === "br") this.#tell("lineBreak", outer);
      else this.#into(box, this.#inside(box));
    }

    #stop() {
      this.leaveOut("elements");
      for (const open of this.#open) open[1].length = 0;
    }

    #into(box, children) {
      this.#open.push([box, children.reverse()]);
      this.#tell("enter", box);
    }

    #leave(box) {
      this.#open.pop();
      this.#tell("leave", box);
    }

    /** The children of a box in the flat tree. Roots that are entered are remembered, what is shut is named. */
    #inside(box) {
      const { nodes, root, closed } = flatTree.childrenOf(box, this.#blocked);
      if (root) this.roots.push(root);
      if (closed) this.leaveOut(closed.what, closed.name);
      return nodes;
    }

    #text(box, node) {
      const text = node.data;
      if (box.isVisible && this.#isShown(box, node, /\S/.test(text))) this.#tell("text", box, this.#chosen(node, text));
    }

    /** White space has no size, but between the cells of a grid, say, it is nowhere at all. */
    #isShown(box, node, hasWords) {
      if (!hasWords && !box.keeps) return true;
      this.#measure.setStart(node, 0);
      this.#measure.setEnd(node, Math.min(node.length, MEASURED));
      if (!hasWords) return this.#measure.getClientRects().length > 0;
      return clipping.isSeen(this.#measure.getBoundingClientRect(), box.clip);
    }

    #chosen(node, text) {
      const { startContainer, startOffset, endContainer, endOffset } = this.#range ?? {};
      return text.slice(node === startContainer ? startOffset : 0, node === endContainer ? endOffset : undefined);
    }

    #tell(what, ...told) {
      for (const visitor of this.#visitors) visitor[what]?.(...told);
    }
  }

  return { Walk };
});
