import { problemOf } from "./problem.js";

/** What the pages of the extension may ask for, by name. Each takes the message and resolves to an answer. */
const ACTS = new Map();

export function offer(acts) {
  for (const [name, act] of Object.entries(acts)) ACTS.set(name, act);
}

/** Scripts in pages speak with our id, too, but not from our address. */
export function isOurPage({ id, url, origin }) {
  return id === chrome.runtime.id && `${origin ?? url}/`.startsWith(chrome.runtime.getURL(""));
}

export function hear(message, sender, answer) {
  const act = ACTS.get(message?.act);
  if (!act || !isOurPage(sender)) return false;
  act(message).then(
    (done) => answer({ answer: done ?? null }),
    (thrown) => answer({ problem: problemOf(thrown).toJSON() }),
  );
  return true; // the answer comes later
}
