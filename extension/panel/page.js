/** What shared modules import as `askweb/page.js`. */

export { words as word } from "../localise.js";

/** The element inside `root` that has this part to play. */
export function part(root, name) {
  return root.querySelector(`[data-part="${name}"]`);
}

/** Nodes of HTML that the server has rendered and sanitised. Nothing else may come here. */
export function nodesOf(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const nodes = document.createDocumentFragment();
  nodes.append(...parsed.body.childNodes);
  return nodes;
}

/** Tell a screen reader something that a sighted person sees. */
export function announce(text) {
  part(document, "announcer").textContent = text;
}
