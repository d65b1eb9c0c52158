import { isOurPage } from "./acts.js";
import { forget, keep, kept } from "./kept.js";
import { isBlockedHere } from "./reading.js";
import { openForCode } from "./ways_in.js";

/** The button on blocks of code: a script in every page, only while the person has it on and Chrome grants the pages. */
const ID = "code-button";
const FILES = [
  "page/start.js",
  "page/limits.js",
  "page/dom.js",
  "page/cutting.js",
  "page/code_blocks.js",
  "page/paths.js",
  "page/marking.js",
  "page/code_button.js",
  "page/pointing.js",
];
const { optional_host_permissions: origins } = chrome.runtime.getManifest();

export async function isCodeButtonOn() {
  return Boolean(await kept(ID)) && chrome.permissions.contains({ origins });
}

/** After the options page was granted the pages: that takes a click there. Resolves to whether it is on. */
export async function turnCodeButton({ isOn }) {
  if (isOn) await keep(ID, true);
  else await forget(ID);
  await renewCodeButton();
  if (!isOn) await chrome.permissions.remove({ origins }).catch(() => null); // what the manifest names for good stays
  return isCodeButtonOn();
}

/** Registered as it should be: an update of the extension forgets it, and the person may take the grant back in Chrome. */
export function renewCodeButton() {
  return navigator.locks.request(ID, async () => {
    const ids = (await chrome.scripting.getRegisteredContentScripts({ ids: [ID] })).map(({ id }) => id);
    const isOn = await isCodeButtonOn();
    if (isOn && !ids.length) {
      await chrome.scripting.registerContentScripts([{ id: ID, js: FILES, matches: origins, runAt: "document_idle" }]);
    }
    if (isOn || !ids.length) return;
    await chrome.scripting.unregisterContentScripts({ ids });
    for (const { id } of await chrome.tabs.query({})) chrome.tabs.sendMessage(id, { act: "stop" }).catch(() => null);
  });
}

/**
 * What the script in a page may say: that a block is pointed at, and that its button was pressed. In which page it is,
 * Chrome tells us. The panel opens within the gesture alone, so before anything else.
 */
export function hearScript(message, sender, answer) {
  if (sender.id !== chrome.runtime.id || isOurPage(sender) || !sender.tab || sender.frameId !== 0) return false;
  if (message?.act === "is-button-shown") {
    isShown(sender.url).then(answer, () => answer(false));
    return true;
  }
  if (message?.act === "ask-about-code") openForCode(placeOf(message), sender.tab);
  return false;
}

async function isShown(url) {
  return (await isCodeButtonOn()) && !(await isBlockedHere(url));
}

function placeOf({ xpath, digest }) {
  return { xpath: String(xpath), digest: String(digest) };
}
