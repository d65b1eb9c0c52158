/**
 * Where an element is: `HTML>body>div[2]>p[3]`, or, from the nearest id that no other element has, `div[id=nk]>p[3]`. A
 * number counts the siblings of that name, 1 is left out; `>>` leads into the shadow root, or the frame, before it.
 */
askwebPage.define("paths", ({ dom, limits }) => {
  const RESERVED = /[[\]>%\s]/g;
  const LONGEST_ID = 200;

  /** Paths of many elements, as long as the page doesn't change. */
  class Paths {
    #paths = new Map();
    #places = new Map(); // parent → child → its number
    #ids = new Map(); // root → id → how many have it

    /** Null where it would be too long, or the element has left the page. */
    of(element) {
      if (!dom.isConnected(element)) return null;
      const steps = [];
      let at = element;
      while (at && !this.#paths.has(at)) {
        if (steps.length === limits.PATH.steps) return null;
        steps.push(at);
        at = this.#outer(at);
      }
      for (const each of steps.reverse()) this.#paths.set(each, this.#joined(each));
      const path = this.#paths.get(element);
      return path.length > limits.PATH.text ? null : path;
    }

    #joined(element) {
      const outer = this.#outer(element);
      if (!outer) return this.#step(element);
      const isInside = dom.rootNode(outer) === dom.rootNode(element);
      return `${this.#paths.get(outer)}${isInside ? ">" : ">>"}${this.#step(element)}`;
    }

    /** What the path leads through before: nothing but the root's holder, where an id leads from there. */
    #outer(element) {
      const parent = dom.parent(element);
      const isInner = dom.type(parent) === dom.ELEMENT && !this.#isKnown(element);
      return isInner ? parent : dom.holder(dom.rootNode(element));
    }

    #step(element) {
      const name = safe(dom.localName(element));
      if (dom.type(dom.parent(element)) === dom.DOCUMENT) return "HTML";
      if (this.#isKnown(element)) return `${name}[id=${safe(dom.attribute(element, "id"))}]`;
      const place = this.#place(element);
      return place === 1 ? name : `${name}[${place}]`;
    }

    #isKnown(element) {
      const id = dom.attribute(element, "id");
      if (!id || id.length > LONGEST_ID) return false;
      const root = dom.rootNode(element);
      if (!this.#ids.has(root)) this.#ids.set(root, counted(dom.queryAll(root, "[id]")));
      return this.#ids.get(root).get(id) === 1;
    }

    #place(element) {
      const parent = dom.parent(element);
      if (!this.#places.has(parent)) this.#places.set(parent, placed(dom.children(parent)));
      return this.#places.get(parent).get(element);
    }
  }

  function counted(elements) {
    const counts = new Map();
    for (const each of elements) {
      const id = dom.attribute(each, "id");
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  function placed(nodes) {
    const counts = new Map();
    const places = new Map();
    for (const each of nodes.filter((node) => dom.type(node) === dom.ELEMENT)) {
      const name = dom.localName(each);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      places.set(each, counts.get(name));
    }
    return places;
  }

  /** Names and ids may hold what stands between the steps. */
  function safe(text) {
    return text.replace(RESERVED, encodeURIComponent);
  }

  return { Paths };
});
