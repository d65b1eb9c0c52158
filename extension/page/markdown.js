/** A copy as Markdown: headings, lists, quotes and code with its language; what else there is as plain text. */
askwebPage.define("markdown", ({ lines, plain_text: plainText }) => {
  const HEADING = /^H([1-6])$/;
  const TICKS = /`+/g;

  function asMarkdown(node) {
    const written = new lines.Lines();
    for (const child of node.childNodes) write(child, written);
    return String(written);
  }

  function write(node, written) {
    if (node.nodeType === Node.TEXT_NODE) written.text(node.data, plainText.keptIn(node.parentElement));
    else if (node.nodeType === Node.ELEMENT_NODE) writeElement(node, written);
  }

  function writeElement(element, written) {
    const block = blockOf(element);
    const gap = element.nodeName === "LI" ? 1 : block === null ? plainText.gapOf(element) : 2;
    if (plainText.isLaterCell(element)) written.text(" | ", "all");
    written.below(gap);
    if (block !== null) written.text(block, "all");
    else if (element.nodeName === "CODE") written.text(ticked(plainText.asText(element)));
    else for (const child of element.childNodes) write(child, written);
    written.below(gap);
  }

  /** Markdown of what has a form of its own, or null. */
  function blockOf(element) {
    const name = element.nodeName;
    const heading = HEADING.exec(name);
    if (heading) return `${"#".repeat(Number(heading[1]))} ${plainText.asText(element).replace(/\n+/g, " ")}`;
    if (name === "PRE") return fenced(element.textContent, element.getAttribute("data-code") ?? "");
    if (name === "LI") return item(element);
    if (name === "BLOCKQUOTE") return asMarkdown(element).replace(/^/gm, "> ");
    return null;
  }

  function item(element) {
    const mark = element.parentElement?.nodeName === "OL" ? `${numberOf(element)}. ` : "- ";
    return mark + asMarkdown(element).replace(/\n(?=.)/g, `\n${" ".repeat(mark.length)}`);
  }

  function numberOf(element) {
    return [...element.parentElement.children].filter((each) => each.nodeName === "LI").indexOf(element) + 1;
  }

  /** Longer than any fence in the code. */
  function fenced(code, language) {
    const fence = "`".repeat(Math.max(3, longest(code) + 1));
    return `${fence}${language}\n${code}\n${fence}`;
  }

  function ticked(code) {
    const ticks = "`".repeat(longest(code) + 1);
    const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
    return code ? ticks + pad + code + pad + ticks : "";
  }

  function longest(code) {
    return Math.max(0, ...(code.match(TICKS) ?? []).map((run) => run.length));
  }

  return { asMarkdown, fenced };
});
