/** A copy as plain text: paragraphs apart, items and rows on lines of their own, cells with tabs, code as it is. */
askwebPage.define("plain_text", ({ lines }) => {
  const ADDED = new Set(["P", "DIV"]); // by Readability, in place of blocks

  function asText(...nodes) {
    const written = new lines.Lines();
    for (const node of nodes) write(node, written);
    return String(written);
  }

  function write(node, written) {
    if (node.nodeType === Node.TEXT_NODE) written.text(node.data, keptIn(node.parentElement));
    else if (node.nodeType === Node.ELEMENT_NODE) writeElement(node, written);
  }

  function writeElement(element, written) {
    const gap = gapOf(element);
    if (isLaterCell(element)) written.text("\t", "all");
    written.below(gap);
    for (const child of element.childNodes) write(child, written);
    written.below(gap);
  }

  function gapOf(element) {
    const gap = element.getAttribute("data-gap");
    return gap === null ? Number(ADDED.has(element.nodeName)) : Number.parseInt(gap, 10) || 0;
  }

  function isLaterCell(element) {
    return isCell(element) && isCell(element.previousElementSibling);
  }

  function isCell(element) {
    return element?.getAttribute("data-gap") === "cell";
  }

  function keptIn(element) {
    return element?.nodeName === "PRE" ? "all" : (element?.getAttribute("data-keeps") ?? "");
  }

  return { asText, gapOf, isLaterCell, keptIn };
});
