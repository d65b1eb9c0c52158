/** Shows a part of the page to whoever follows a citation. */
askwebPage.define("highlighting", ({ dom, resolving, marking }) => {
  let mark = null;

  /** Scroll to a part and mark it: "found", "moved" (found by its text alone) or "gone". */
  function highlight({ xpath, digest }) {
    removeHighlight();
    const found = resolving.locate(xpath, digest);
    if (!found || !resolving.isShown(found.element)) return "gone";
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    dom.scrollIntoView(found.element, { block: "center", inline: "nearest", behavior: isStill ? "instant" : "smooth" });
    mark = new marking.Mark(found.element, { isStill });
    return found.isMoved ? "moved" : "found";
  }

  function removeHighlight() {
    mark?.remove();
    mark = null;
  }

  return { highlight, removeHighlight };
});
