/** Shows the button on the block of code that is pointed at, or has the focus, and tells which was pressed. Reads nothing. */
askwebPage.define("pointing", ({ dom, limits, cutting, code_blocks: codeBlocks, paths, code_button: codeButton }) => {
  const LINGER = 400; // milliseconds for the pointer to come back
  const over = new AbortController();
  let wanted = null; // block
  let button = null;
  let isShown = null; // a promise: asked for once, when a block is first pointed at
  let timer = 0;

  const on = (type, act) =>
    addEventListener(type, act, { signal: over.signal, capture: true, passive: type !== "keydown" });
  on("pointerover", turnTo);
  on("focusin", turnTo);
  on("keydown", key);
  chrome.runtime.onMessage.addListener(({ act }) => act === "stop" && stop());

  /** A path begins with the innermost element, also of shadow roots that are open. */
  function turnTo(event) {
    const path = event.composedPath();
    if (button && path.some((node) => button.has(node))) return stay();
    const block = path.findLast((node) => node instanceof HTMLPreElement && isCode(node));
    if (!block) return event.type === "pointerover" && isHeld() ? undefined : leave();
    stay();
    if (block === wanted) return;
    wanted = block;
    if (block !== button?.block) show(block);
  }

  function stay() {
    clearTimeout(timer);
    timer = 0;
  }

  function leave() {
    wanted = null;
    timer ||= setTimeout(hide, LINGER);
  }

  /** What scrolls by below a pointer at rest is not pointed at. */
  function isHeld() {
    const focused = dom.activeElement(document);
    return button !== null && (button.has(focused) || button.block === focused);
  }

  function isCode(block) {
    return !codeBlocks.isNumbers(block, "pre") && dom.text(block).trim() !== "";
  }

  async function show(block) {
    isShown ??= tell({ act: "is-button-shown" });
    if (!(await isShown)) return stop();
    if (wanted !== block) return;
    hide();
    wanted = block;
    button = new codeButton.CodeButton(block, () => press(block));
  }

  function hide() {
    stay();
    button?.remove();
    button = wanted = null;
  }

  /** From the block, Tab goes to its button first, which stands at the end of the page; Escape takes it away. */
  function key(event) {
    if (!button) return;
    if (event.key === "Escape") return hide();
    const isIn = event.composedPath()[0] === button.block;
    if (event.key !== "Tab" || event.shiftKey || !isIn) return;
    event.preventDefault();
    button.focus();
  }

  function press(block) {
    const xpath = new paths.Paths().of(block) ?? "HTML";
    const digest = cutting.cut(cutting.oneLine(dom.text(block)), limits.DIGEST).trim();
    tell({ act: "ask-about-code", xpath, digest });
  }

  /** The extension may have been updated or taken away meanwhile. */
  async function tell(message) {
    try {
      return await chrome.runtime.sendMessage(message);
    } catch {
      stop();
      return null;
    }
  }

  function stop() {
    over.abort();
    hide();
  }

  return {};
});
