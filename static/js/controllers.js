/** A behaviour of an element with `data-controller`. `signal` ends with the element; listeners take it. */
export class Controller {
  #ending = new AbortController();

  constructor(element) {
    this.element = element;
  }

  get signal() {
    return this.#ending.signal;
  }

  on(target, type, act) {
    target.addEventListener(type, act, { signal: this.signal });
  }

  connect() {}

  end() {
    this.#ending.abort();
  }
}

const running = new Map();
let known = {};

/** Start the controllers of the page, and of all that comes into it later. */
export function startControllers(controllers) {
  known = controllers;
  startIn(document);
  new MutationObserver(follow).observe(document, { childList: true, subtree: true });
}

function follow(records) {
  const touched = records.flatMap((record) => [...record.addedNodes, ...record.removedNodes]);
  if (!touched.some((node) => node instanceof Element)) return;
  for (const [element, controller] of running) {
    if (!element.isConnected) {
      controller.end();
      running.delete(element);
    }
  }
  const roots = touched.filter((node) => node instanceof Element && node.isConnected).map((node) => node.parentNode);
  for (const root of new Set(roots)) startIn(root);
}

function startIn(root) {
  for (const element of root.querySelectorAll("[data-controller]")) {
    const Kind = known[element.dataset.controller];
    if (Kind && !running.has(element)) {
      const controller = new Kind(element);
      running.set(element, controller);
      controller.connect();
    }
  }
}
