/** Small things that the page itself holds: words, parts, addresses, and HTML that the server has made. */

const words = JSON.parse(document.getElementById("words").textContent);

export function word(name) {
  return words[name];
}

/** The element inside `root` that has this part to play. */
export function part(root, name) {
  return root.querySelector(`[data-part="${name}"]`);
}

/** A copy of what a `<template>` holds. */
export function copyOf(template) {
  return document.importNode(template.content.firstElementChild, true); // which upgrades custom elements, too
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

export function conversationPage(id) {
  return `/conversations/${id}/`;
}

/** Sign in, and come back to this page; at once, where another window has signed in. */
export function goToSignIn() {
  const { signIn } = document.querySelector("[data-sign-in]").dataset;
  location.assign(`${signIn}?next=${encodeURIComponent(location.pathname + location.search)}`);
}
