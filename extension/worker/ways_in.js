import { note, noted } from "./kept.js";
import { tellPanels } from "./panels.js";

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
  return want(tab, { tool: String(menuItemId).slice("tool:".length), link: linkUrl ?? "" });
}

/** What the panel of a window was opened for, or null. */
export function wanted({ window }) {
  return noted(`wanted.${window}`);
}

/** Within the gesture Chrome shows us the address of every page that we may read; of which it does not, is closed. */
async function want(tab, { tool = "", link = "" }) {
  const wish = { window: tab.windowId, tab: tab.id, tool, link, isClosed: !tab.url, at: Date.now() };
  await note(`wanted.${tab.windowId}`, wish);
  tellPanels({ wanted: wish });
}
