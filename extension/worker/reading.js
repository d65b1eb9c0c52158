import { PAGE_FILES } from "../page/files.js";
import { keep, kept } from "./kept.js";
import { Problem } from "./problem.js";
import { call } from "./server.js";

const READABLE = /^(https?|file):/;
const STORES = /^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/;

/** What a tab shows now, as context items: { context, url }. Rejects with why it can't be read. */
export async function read({ tab: id, link = "", isClosed = false }) {
  const tab = await chrome.tabs.get(id).catch(() => null);
  if (!tab) throw Problem.named("page_gone");
  const { url } = tab;
  if (!url) throw Problem.named(isClosed ? "page_closed" : "page_unasked");
  if (STORES.test(url)) throw Problem.named("page_store");
  if (!READABLE.test(url)) throw Problem.named("page_closed");
  const blocked = await blockedHosts();
  if (isBlocked(new URL(url).hostname, blocked)) throw Problem.named("page_blocked", new URL(url).hostname);
  const { context, problem } = await inject(id, readPage, { blocked, link });
  if (problem && problem !== "page.empty") throw Problem.named(problem === "pdf" ? "page_pdf" : "page_unreadable");
  return { context, url };
}

/** Show a part that a reply names: "found", "moved" or "gone". */
export function highlight({ tab, part }) {
  return inject(tab, highlightPart, part).catch(() => "gone");
}

/** The server's list, for each reading anew; what it last said where it can't be asked. Without any, nothing is read. */
async function blockedHosts() {
  try {
    return await renewBlocked();
  } catch (problem) {
    const known = await kept("blocked");
    if (!known) throw problem;
    return known;
  }
}

/** Asked for at pairing, too, so that there is a list should the server be down at the first reading. */
export async function renewBlocked() {
  const { blocked_hosts: hosts } = await call("GET", "/api/settings/");
  await keep("blocked", hosts);
  return hosts;
}

function isBlocked(host, blocked) {
  const bare = host.replace(/\.$/, "").replace(/^\[|\]$/g, "");
  return blocked.some((each) => bare === each || bare.endsWith(`.${each}`));
}

async function inject(tabId, func, arg) {
  const target = { tabId };
  try {
    const [type] = await chrome.scripting.executeScript({ target, func: () => document.contentType });
    if (type.result === "application/pdf") return { problem: "pdf" };
    await chrome.scripting.executeScript({ target, files: PAGE_FILES });
    const [{ result }] = await chrome.scripting.executeScript({ target, func, args: [arg] });
    return result;
  } catch (thrown) {
    console.warn("not read", String(thrown));
    throw Problem.named(
      /Cannot access contents|must request permission/.test(thrown) ? "page_unasked" : "page_unreadable",
    );
  }
}

/* These two run in the page. */

function readPage(options) {
  return globalThis.askwebPage.read(options);
}

function highlightPart(part) {
  return globalThis.askwebPage.highlight(part);
}
