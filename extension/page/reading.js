/** Reads what the page shows now, as the context items of a post. */
askwebPage.define("reading", (modules) => {
  const { dom, limits, cutting, blocking, walk, copying, parts, selecting, quoting } = modules;
  const { main_content: mainContent, stack_overflow: stackoverflow, github } = modules;
  const ADAPTERS = { stackoverflow, github };
  const PAGES = new Set(["text/html", "application/xhtml+xml", "text/plain", "application/json"]);
  let last = null; // address and title of the last reading

  /**
   * `{context, parts, problem, leftOut}`: the items, how many parts there are, null or why there is nothing
   * ("host.blocked", "page.unreadable", "page.empty"), and what was left out.
   *
   * `blocked`: hosts. `link`: the URL of a link, `code`: a block of code or its `{xpath, digest}`, that a person points at.
   * `as`: "stackoverflow" or "github", whatever the host is.
   */
  async function read({ blocked = [], link = "", code = null, as = "" } = {}) {
    if (blocking.isBlocked(globalThis, blocked)) return nothing("host.blocked");
    if (!isPage()) return nothing("page.unreadable");
    const page = { title: titleNow(), url: urlNow(), lang: languageNow() };
    const early = selecting.selectionIn(selecting.focusedDocuments(blocked), blocked); // before anything can change it
    const copied = new copying.Copying();
    const found = new parts.Parts();
    const way = new walk.Walk(document, [copied, found], { blocked });
    await finish(way);
    await pause();
    const selection = early ?? selecting.selectionIn(way.roots, blocked);
    last = page;
    const content = mainContent.mainContent(copied);
    await pause();
    const list = found.list();
    await pause();
    const context = [
      { id: "page", ...page, content },
      selection && quoting.ofSelection(selection, page),
      link && quoting.ofLink(link, copied.document, page),
      code && quoting.ofCodeAt(code, copied.codes, page),
      ...adapted(as, copied.document, page),
      list.length > 0 && { id: "pageSearch", list: list.map(({ xpath, digest }) => ({ xpath, digest })) },
    ];
    if (copied.isFull) way.leaveOut("text");
    if (found.isFull) way.leaveOut("parts");
    const problem = content || selection ? null : "page.empty";
    return { context: context.filter(Boolean), parts: list.length, problem, leftOut: way.leftOut };
  }

  /** Whether address or title are others than when the page was read last: pages change both without loading. */
  function hasChanged() {
    return last === null || last.url !== urlNow() || last.title !== titleNow();
  }

  function nothing(problem) {
    return { context: [], parts: 0, problem, leftOut: [] };
  }

  function isPage() {
    const root = dom.documentElement(document);
    return PAGES.has(dom.contentType(document)) && root !== null && dom.localName(root) === "html";
  }

  /** The page has its turn between slices. */
  async function finish(way) {
    let spent = 0;
    for (;;) {
      const start = performance.now();
      if (way.run(limits.SLICE)) return;
      spent += performance.now() - start;
      if (spent >= limits.TIME) return way.leaveOut("time");
      await pause();
    }
  }

  /** Timers would wait for seconds in tabs that are hidden, messages don't. */
  function pause() {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
  }

  function adapted(as, copy, page) {
    const { hostname } = location;
    const isHere = ([name, adapter]) => (as ? as === name : adapter.isHere(hostname, copy));
    return Object.entries(ADAPTERS)
      .filter(isHere)
      .map(([, adapter]) => adapter.read(copy, page));
  }

  function titleNow() {
    return cutting.cut(cutting.oneLine(dom.title(document)), limits.TITLE);
  }

  function urlNow() {
    return cutting.cut(location.href, limits.URL);
  }

  function languageNow() {
    return dom.attribute(dom.documentElement(document), "lang").trim().slice(0, 40);
  }

  return { read, hasChanged };
});
