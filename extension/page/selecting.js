/** What is selected, with its lines: in the page, its frames and shadow roots, or in a field that isn't secret. */
askwebPage.define("selecting", ({ dom, limits, cutting, walk, copying, blocking, plain_text: plainText }) => {
  const FIELDS = new Set(["text", "search", "url", "tel", "email"]);

  /** `{text, language}`, the language null but for a piece of one block of code; null where nothing is selected. */
  function selectionIn(roots, blocked) {
    for (const root of roots) {
      const found = inField(root) ?? inRange(rangeOf(root), blocked);
      if (found) return found;
    }
    return null;
  }

  /** The document that has the focus, before those that its frame stands in. */
  function focusedDocuments(blocked) {
    const found = [document];
    for (;;) {
      const element = dom.activeElement(found[0]);
      const inner = element && dom.frameDocument(element, dom.localName(element));
      if (!inner || blocking.isBlocked(dom.view(inner), blocked)) return found;
      found.unshift(inner);
    }
  }

  function inField(root) {
    const element = dom.type(root) === dom.DOCUMENT ? dom.activeElement(root) : dom.activeInShadow(root);
    if (!element || !isOpenField(element)) return null;
    const { value, selectionStart, selectionEnd } = element;
    const text = cutting.cut(value.slice(selectionStart, selectionEnd), limits.CONTENT);
    return text ? { text, language: null } : null;
  }

  function isOpenField(element) {
    const name = dom.localName(element);
    return name === "textarea" || (name === "input" && FIELDS.has(element.type));
  }

  function rangeOf(root) {
    const selection = dom.type(root) === dom.DOCUMENT ? dom.view(root)?.getSelection() : root.getSelection?.();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
    return range && !range.collapsed ? range : null;
  }

  function inRange(range, blocked) {
    if (!range) return null;
    const copied = new copying.Copying({ isSelection: true });
    const root = dom.rootNode(range.commonAncestorContainer);
    new walk.Walk(root, [copied], { range, blocked }).run(limits.AT_ONCE);
    const text = plainText.asText(copied.document.documentElement);
    return text.trim() ? { text, language: languageOf(copied, text) } : null;
  }

  function languageOf({ codes }, text) {
    const [copy, other] = codes.values();
    return copy && !other && copy.textContent === text ? copy.getAttribute("data-code") : null;
  }

  return { selectionIn, focusedDocuments };
});
