/**
 * Elements as they are shown. A box is an element with what its text takes from those around it; what a person
 * can't see has none.
 */
askwebPage.define("boxes", ({ dom, clipping, code_blocks: codeBlocks }) => {
  const NO_TEXT =
    "script style noscript template head textarea select input option datalist object embed canvas audio video";
  const UNREAD = new Set(NO_TEXT.split(" "));
  const PARTS = new Set("h1 h2 h3 h4 h5 h6 p li td th dt dd pre figcaption caption summary".split(" "));
  const PART_ROLES = new Set(["heading", "listitem", "cell", "gridcell", "paragraph"]);
  const INLINE = /^(inline|contents|ruby)|math/;
  const AWAY = /^circle\(0(px|%)? |^circle\(0(px|%)?\)/;
  const NEARLY_NOTHING = 0.05;

  /** The box of a document's root element, or of whatever stands for it. */
  function outermost(element, document = dom.ownerDocument(element)) {
    const outer = { depth: 0, keeps: "", block: null, code: null, part: null };
    return boxOf(element, { ...outer, ...clipping.atRoot(document) });
  }

  function boxOf(element, outer) {
    const name = dom.localName(element);
    if (UNREAD.has(name) || dom.attribute(element, "aria-hidden") === "true") return null;
    if (codeBlocks.isNumbers(element, name)) return null;
    const style = getComputedStyle(element);
    const { display, position } = style;
    if (display === "none" || isAway(style, position)) return null;
    const box = { element, name, outer, display, position, depth: outer.depth + 1 };
    box.isBlock = !INLINE.test(display) || (name === "math" && display === "block math");
    box.isVisible = style.visibility === "visible";
    box.keeps = keptSpace(style.whiteSpaceCollapse);
    box.clip = clipping.clipIn(box, style);
    box.block = box.isBlock ? box : outer.block;
    box.code = outer.code ?? (codeBlocks.isCodeBlock(box) ? box : null);
    box.part = isPart(box) ? box : outer.part;
    return box;
  }

  function isAway(style, position) {
    if (style.contentVisibility === "hidden" || Number(style.opacity) < NEARLY_NOTHING) return true;
    const { clipPath } = style;
    if (clipPath !== "none" && isCutAway(clipPath)) return true;
    return (position === "absolute" || position === "fixed") && style.clip !== "auto" && isEmpty(style.clip);
  }

  /** `inset(50%)`, `inset(0 100% 0 0)`, `circle(0)`. */
  function isCutAway(clipPath) {
    const [top, right = top, bottom = top, left = right] =
      clipPath
        .match(/^inset\(([^)r]*)/)?.[1]
        .trim()
        .split(" ") ?? [];
    const isWhole = (one, other) =>
      [one, other].every((each) => /^[\d.]+%$|^0/.test(each)) && share(one) + share(other) >= 100;
    return AWAY.test(clipPath) || (top !== undefined && (isWhole(top, bottom) || isWhole(left, right)));
  }

  function share(percentage) {
    return Number.parseFloat(percentage);
  }

  /** `rect(0, 0, 0, 0)`, `rect(1px, 1px, 1px, 1px)`. */
  function isEmpty(clip) {
    const [top, right, bottom, left] = clip.replace("rect(", "").split(/[ ,]+/).map(Number.parseFloat);
    return bottom - top <= 1 || right - left <= 1;
  }

  function keptSpace(collapse) {
    if (collapse === "preserve-breaks") return "lines";
    return collapse === "collapse" ? "" : "all";
  }

  function isPart({ element, name, code, outer }) {
    if (outer.code) return false;
    return code !== null || PARTS.has(name) || PART_ROLES.has(dom.attribute(element, "role"));
  }

  return { outermost, boxOf };
});
