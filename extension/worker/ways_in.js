import { note, noted } from "./kept.js";
import { tellPanels } from "./panels.js";
import { kindsOf, needsWords } from "./tools.js";

const TWICE = 1_000; // milliseconds within which the same choice is a double click
const FOR_CODE = "explain-code";
let chosen = { what: "", at: 0 };

/**
 * The shortcut and the button in the toolbar are one event, the menu another. Each opens the panel, which Chrome allows
 * within the gesture alone, so before anything else; and says for its window what is asked about.
 */
export function openFor(tab) {
  chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => null);
  return want(tab, {});
}

export function openByMenu({ menuItemId, linkUrl }, tab) {
  if (!tab || !String(menuItemId).startsWith("tool:")) return;
  chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => null);
  if (isAgain(`${tab.id} ${menuItemId} ${linkUrl}`)) return;
  return wantTool(tab, { tool: String(menuItemId).slice("tool:".length), link: linkUrl ?? "" });
}

/** By the button on a block of code. It waits for words, with the tool for code chosen, if there is one. */
export function openForCode(code, tab) {
  chrome.sidePanel.open({ windowId: tab.windowId }).catch(() => null);
  return wantCode(code, tab);
}

async function wantCode(code, tab) {
  const at = Date.now();
  const kinds = await kindsOf(FOR_CODE);
  return want(tab, { code, kinds, tool: kinds.length ? FOR_CODE : "", at });
}

function isAgain(what) {
  const before = chosen;
  chosen = { what, at: Date.now() };
  return before.what === what && chosen.at - before.at < TWICE;
}

async function wantTool(tab, more) {
  const at = Date.now();
  const kinds = await kindsOf(more.tool);
  return want(tab, { ...more, kinds, isAsked: !needsWords(kinds), at });
}

/** What the panel of a window was opened for, or null. */
export function wanted({ window }) {
  return noted(`wanted.${window}`);
}

/** Whether it is for this panel to ask what a wish asks: for the first that says so, however often it does. */
export function claim({ wish, panel }) {
  return navigator.locks.request("claim", async () => {
    const first = (await noted(`claimed.${wish}`)) ?? panel;
    await note(`claimed.${wish}`, first);
    return first === panel;
  });
}

/** Within the gesture Chrome shows us the address of every page that we may read; of which it does not, is closed. */
async function want(tab, { tool = "", link = "", code = null, kinds = [], isAsked = false, at = Date.now() }) {
  const id = crypto.randomUUID(); // of the message, too, should it be asked at once
  const about = { window: tab.windowId, tab: tab.id, isClosed: !tab.url, link, code };
  const wish = { id, ...about, tool, kinds, isAsked, at };
  await note(`wanted.${tab.windowId}`, wish);
  tellPanels({ wanted: wish });
}
