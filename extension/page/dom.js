/**
 * The DOM as its prototypes know it. In `<form><input name=parentNode></form>` and with `<img name=body>`, the
 * properties of forms and documents are elements of the page, in our isolated world, too.
 */
askwebPage.define("dom", () => {
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const method = (prototype, name) => {
    const own = prototype[name];
    return (node, ...given) => own.apply(node, given);
  };

  const ELEMENT = 1;
  const TEXT = 3;
  const CDATA = 4;
  const DOCUMENT = 9;
  const FRAGMENT = 11;
  const type = getter(Node.prototype, "nodeType");
  const firstChild = getter(Node.prototype, "firstChild");
  const nextSibling = getter(Node.prototype, "nextSibling");
  const baseURI = getter(Node.prototype, "baseURI");
  const getAttribute = method(Element.prototype, "getAttribute");
  const host = getter(ShadowRoot.prototype, "host");
  const view = getter(Document.prototype, "defaultView");
  const frameDocuments = {
    iframe: getter(HTMLIFrameElement.prototype, "contentDocument"),
    frame: getter(HTMLFrameElement.prototype, "contentDocument"),
  };
  const finders = [Element, Document, DocumentFragment].map(({ prototype }) => ({
    one: method(prototype, "querySelector"),
    all: method(prototype, "querySelectorAll"),
  }));
  const finder = (node) => finders[type(node) === ELEMENT ? 0 : type(node) === DOCUMENT ? 1 : 2];
  const implementation = getter(Document.prototype, "implementation");

  function children(node) {
    const found = [];
    for (let child = firstChild(node); child; child = nextSibling(child)) found.push(child);
    return found;
  }

  /** Null where the page itself couldn't look in: frames of other origins. */
  function frameDocument(element, name) {
    try {
      return frameDocuments[name]?.(element) ?? null;
    } catch {
      return null;
    }
  }

  /** Absolute, or as it is written where it is no URL. */
  function link(element, attribute = "href") {
    const written = getAttribute(element, attribute) ?? "";
    try {
      return new URL(written, baseURI(element)).href;
    } catch {
      return written;
    }
  }

  /** What a shadow root or a frame's document stands in, or null. */
  function holder(root) {
    if (root === document) return null;
    if (type(root) !== DOCUMENT) return type(root) === FRAGMENT ? host(root) : null;
    try {
      return view(root)?.frameElement ?? null;
    } catch {
      return null;
    }
  }

  return {
    ELEMENT,
    TEXT,
    CDATA,
    DOCUMENT,
    type,
    frameDocument,
    holder,
    host,
    view,
    link,
    attribute: (element, name) => getAttribute(element, name) ?? "",
    has: method(Element.prototype, "hasAttribute"),
    query: (node, selector) => finder(node).one(node, selector),
    queryAll: (node, selector) => [...finder(node).all(node, selector)],
    isNode: (value) => {
      try {
        return type(value) > 0;
      } catch {
        return false;
      }
    },
    children,
    inertDocument: () => implementation(document).createHTMLDocument(""),
    parent: getter(Node.prototype, "parentNode"),
    text: getter(Node.prototype, "textContent"),
    ownerDocument: getter(Node.prototype, "ownerDocument"),
    rootNode: method(Node.prototype, "getRootNode"),
    isConnected: getter(Node.prototype, "isConnected"),
    createElementNS: method(Document.prototype, "createElementNS"),
    append: method(Node.prototype, "appendChild"),
    localName: getter(Element.prototype, "localName"),
    shadowRoot: getter(Element.prototype, "shadowRoot"),
    rect: method(Element.prototype, "getBoundingClientRect"),
    closest: method(Element.prototype, "closest"),
    focus: method(HTMLElement.prototype, "focus"),
    scrollIntoView: method(Element.prototype, "scrollIntoView"),
    clientWidth: getter(Element.prototype, "clientWidth"),
    clientHeight: getter(Element.prototype, "clientHeight"),
    scrollWidth: getter(Element.prototype, "scrollWidth"),
    scrollHeight: getter(Element.prototype, "scrollHeight"),
    scrollLeft: getter(Element.prototype, "scrollLeft"),
    scrollTop: getter(Element.prototype, "scrollTop"),
    assignedNodes: method(HTMLSlotElement.prototype, "assignedNodes"),
    documentElement: getter(Document.prototype, "documentElement"),
    body: getter(Document.prototype, "body"),
    title: getter(Document.prototype, "title"),
    contentType: getter(Document.prototype, "contentType"),
    activeElement: getter(Document.prototype, "activeElement"),
    activeInShadow: getter(ShadowRoot.prototype, "activeElement"),
  };
});
