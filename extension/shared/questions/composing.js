const SAME_KEY = 30; // milliseconds: Safari ends a composition first, and tells of its Enter afterwards
let ended = -Infinity;

globalThis.document?.addEventListener("compositionend", ({ timeStamp }) => (ended = timeStamp), true);

/** Whether a key belongs to an input method: it picks a word there, and means nothing to the page. */
export function isComposing(event) {
  if (event.isComposing || event.keyCode === 229) return true;
  return event.key === "Enter" && !event.ctrlKey && !event.metaKey && event.timeStamp - ended < SAME_KEY;
}
