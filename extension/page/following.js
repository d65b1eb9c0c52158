/** The element that a path leads to now, or null. Paths as others write them, with `p[1]` or a known id further down, do, too. */
askwebPage.define("following", ({ dom }) => {
  const STEP = /^([^[\]>]+)(?:\[(?:id=([^\]>]+)|(\d{1,7}))\])?$/;

  function follow(path) {
    let root = document;
    let element = null;
    for (const part of path.split(">>")) {
      element = root && within(root, part.split(">").map(read));
      root = element && innerRoot(element);
    }
    return element;
  }

  /** What stands before the last known id doesn't matter: it may have changed. */
  function within(root, steps) {
    if (steps.includes(null)) return null;
    const last = steps.findLastIndex(({ id }) => id);
    let at = last < 0 ? root : byId(root, steps[last]);
    for (const step of steps.slice(last + 1)) at = at && child(at, step);
    return at;
  }

  function read(written) {
    const [step, name, id, place] = STEP.exec(written) ?? [];
    return step ? { name: plain(name), id: id && plain(id), place: Number(place ?? 1) } : null;
  }

  function plain(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function byId(root, { name, id }) {
    return dom.queryAll(root, `[id=${CSS.escape(id)}]`).find((each) => dom.localName(each) === name) ?? null;
  }

  function child(parent, { name, place }) {
    const wanted = name === "HTML" ? "html" : name;
    const elements = dom.children(parent).filter((node) => dom.type(node) === dom.ELEMENT);
    return elements.filter((each) => dom.localName(each) === wanted)[place - 1] ?? null;
  }

  function innerRoot(element) {
    return dom.shadowRoot(element) ?? dom.frameDocument(element, dom.localName(element));
  }

  return { follow };
});
