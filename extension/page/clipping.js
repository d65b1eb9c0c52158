/**
 * Where text can be seen or scrolled to, in the coordinates of its document's window. A clip is such a rectangle;
 * what lies outside of it (`left: -9999px`, a box of one pixel) is there for machines alone.
 */
askwebPage.define("clipping", ({ dom }) => {
  const HOLDING = /paint|strict|content/;
  const UNCUT = new Set(["inline", "contents"]); // there, overflow means nothing
  const ABOVE = 64; // boxes that are asked whether they hold an absolute one

  /** For what stands in a document: all that it can be scrolled to, and, for what is fixed, its window. */
  function atRoot(document) {
    const root = dom.documentElement(document);
    const body = dom.body(document) ?? root;
    const { innerWidth: right, innerHeight: bottom, scrollX: x, scrollY: y } = dom.view(document);
    const window = { left: 0, top: 0, right, bottom };
    return { window, clip: reachable(window, { x, y }, longest(root, body), getComputedStyle(body)), isRoot: true };
  }

  /** The furthest that one of them scrolls. */
  function longest(...elements) {
    const across = elements.map((each) => dom.scrollWidth(each) - dom.clientWidth(each));
    const down = elements.map((each) => dom.scrollHeight(each) - dom.clientHeight(each));
    return { across: Math.max(...across), down: Math.max(...down) };
  }

  /** All that comes into a box by scrolling: to the left and up in boxes that begin at their right or lower end. */
  function reachable(box, at, { across, down }, { direction, writingMode, display, flexDirection }) {
    const isLeftward = direction === "rtl" || writingMode.endsWith("-rl");
    const isUpward = display.includes("flex") && flexDirection === "column-reverse";
    return {
      left: box.left - at.x - (isLeftward ? across : 0),
      right: box.right - at.x + (isLeftward ? 0 : across),
      top: box.top - at.y - (isUpward ? down : 0),
      bottom: box.bottom - at.y + (isUpward ? 0 : down),
    };
  }

  function both(one, other) {
    return {
      left: Math.max(one.left, other.left),
      top: Math.max(one.top, other.top),
      right: Math.min(one.right, other.right),
      bottom: Math.min(one.bottom, other.bottom),
    };
  }

  /** The clip of what is inside of a box. Of the page's own two, the window decides. */
  function clipIn(box, style) {
    const { element, name, outer } = box;
    if (name === "html" || name === "body") return outer.clip;
    const own = clipOf(box, outer);
    const isOpen = UNCUT.has(box.display) || (style.overflowX === "visible" && style.overflowY === "visible");
    return isOpen ? own : inside(element, style, own);
  }

  /** Absolute and fixed boxes are cut only by what holds them. */
  function clipOf({ position }, outer) {
    if (position !== "absolute" && position !== "fixed") return outer.clip;
    let at = outer;
    for (let above = 0; above < ABOVE && !at.isRoot; above += 1) {
      if ((position === "absolute" && at.position !== "static") || holds(at)) return at.clip;
      at = at.outer;
    }
    if (!at.isRoot) return outer.clip;
    return position === "fixed" ? at.window : at.clip;
  }

  function holds({ element }) {
    const { transform, filter, contain } = getComputedStyle(element);
    return transform !== "none" || filter !== "none" || HOLDING.test(contain);
  }

  /** A scroller's own box has to be seen for what is in it to be reached. */
  function inside(element, style, outer) {
    const box = dom.rect(element);
    const shown = both(box, outer);
    if (!isSeen(box, outer)) return shown;
    const at = { x: dom.scrollLeft(element), y: dom.scrollTop(element) };
    const wide = reachable(box, at, longest(element), style);
    const { left, right } = scrolls(style.overflowX) ? wide : shown;
    const { top, bottom } = scrolls(style.overflowY) ? wide : shown;
    return { left, right, top, bottom };
  }

  function scrolls(overflow) {
    return overflow === "auto" || overflow === "scroll";
  }

  /** Boxes of one pixel are how text is hidden from all but screen readers. */
  function isSeen(rect, clip) {
    const width = Math.min(rect.right, clip.right) - Math.max(rect.left, clip.left);
    const height = Math.min(rect.bottom, clip.bottom) - Math.max(rect.top, clip.top);
    return width > 1 && height > 1;
  }

  return { atRoot, clipIn, isSeen };
});
