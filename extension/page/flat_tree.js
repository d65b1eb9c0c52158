/**
 * The children of a box as they are shown: a shadow root's in place of its host's, what is put into a slot, a frame's
 * document, of closed details the summary alone.
 */
askwebPage.define("flat_tree", ({ dom, limits, blocking, clipping }) => {
  /** `nodes`, with the `root` that they come from if it is another, or with what is `closed` to us. */
  function childrenOf(box, blocked) {
    const { element, name } = box;
    const shadow = dom.shadowRoot(element);
    if (shadow) return { nodes: dom.children(shadow), root: shadow };
    if (name === "iframe" || name === "frame") return inFrame(box, blocked);
    if (name === "slot") return { nodes: assigned(element) };
    if (name === "details" && !dom.has(element, "open")) return { nodes: summaryOf(element) };
    const closed = isClosed(element) ? { what: "shadow", name } : null;
    return { nodes: dom.children(element), closed };
  }

  /** Its text is measured in a window of its own. */
  function inFrame(box, blocked) {
    const { element, name, outer } = box;
    const isOpen = dom.clientWidth(element) > 1 && dom.clientHeight(element) > 1;
    if (!isOpen || !clipping.isSeen(dom.rect(element), outer.clip)) return { nodes: [] };
    const root = dom.frameDocument(element, name);
    const view = root && dom.view(root);
    if (!view || !dom.documentElement(root) || blocking.isBlocked(view, blocked)) {
      return { nodes: [], closed: { what: "frame", name: dom.link(element, "src").slice(0, limits.URL) } };
    }
    Object.assign(box, clipping.atRoot(root));
    return { nodes: [dom.documentElement(root)], root };
  }

  function assigned(slot) {
    const nodes = dom.assignedNodes(slot);
    return nodes.length > 0 ? [...nodes] : dom.children(slot);
  }

  function summaryOf(details) {
    const isSummary = (node) => dom.type(node) === dom.ELEMENT && dom.localName(node) === "summary";
    return dom.children(details).filter(isSummary).slice(0, 1);
  }

  /** Only an extension can ask whether there is a shadow root that is closed. */
  function isClosed(element) {
    return Object.hasOwn(globalThis, "chrome") && Boolean(chrome.dom?.openOrClosedShadowRoot?.(element));
  }

  return { childrenOf };
});
