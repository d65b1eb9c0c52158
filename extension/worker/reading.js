import { PAGE_FILES } from "../page/files.js";
import { keep, kept } from "./kept.js";
import { Problem } from "./problem.js";
import { call } from "./server.js";

const CLOSED = [
  [/^https:\/\/(chromewebstore\.google\.com|chrome\.google\.com\/webstore)(\/|$)/, "page_store"],
  [/^blob:/, "page_blob"],
  [/^(about:blank|chrome:\/\/newtab)/, "page_blank"],
  [/^(?!https?:|file:)/, "page_closed"],
];
const THROWN = [
  [/Cannot access contents|must request permission/, "page_unasked"],
  [/showing error page/, "page_error"],
  [/No tab with id/, "page_gone"],
];
const TOLD = { "page.unreadable": "page_no_text", pdf: "page_pdf" };

/** What a tab shows now, as context items: { context, url }. Rejects with why it can't be read. */
export async function read({ tab: id, link = "", code = null, isClosed = false }) {
  const url = await addressOf(id);
  if (!url) throw Problem.named(isClosed ? "page_closed" : "page_unasked");
  const closed = CLOSED.find(([pattern]) => pattern.test(url));
  if (closed) throw Problem.named(closed[1]);
  if (url.startsWith("file:") && !(await chrome.extension.isAllowedFileSchemeAccess()))
    throw Problem.named("page_file");
  const blocked = await blockedHosts();
  if (isBlocked(hostOf(url), blocked)) throw Problem.named("page_blocked", hostOf(url));
  const { context, problem } = await inject(id, readPage, { blocked, link, code });
  if (problem === "host.blocked") throw Problem.named("page_blocked", hostOf(await addressOf(id))); // it went there meanwhile
  if (problem in TOLD) throw Problem.named(TOLD[problem]);
  return { context, url };
}

async function addressOf(id) {
  const tab = await chrome.tabs.get(id).catch(() => null);
  if (!tab) throw Problem.named("page_gone");
  return tab.url;
}

function hostOf(url) {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}

/** Show a part that a reply names: "found", "moved" or "gone". Looking for it is reading, too. */
export async function highlight({ tab: id, part }) {
  const url = await addressOf(id).catch(() => "");
  if (!url) return "gone";
  if (await isBlockedHere(url)) throw Problem.named("page_blocked", hostOf(url));
  return inject(id, highlightPart, part).catch(() => "gone");
}

/** Whether a page of this address would not be read. Rejects where no list is known. */
export async function isBlockedHere(url) {
  return isBlocked(hostOf(url), await blockedHosts());
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
    const known = THROWN.find(([pattern]) => pattern.test(thrown));
    throw Problem.named(known ? known[1] : "page_unreadable");
  }
}

/* These two run in the page. */

function readPage(options) {
  return globalThis.askwebPage.read(options);
}

function highlightPart(part) {
  return globalThis.askwebPage.highlight(part);
}
