/** All listeners, at once: Chrome starts the worker for one event, and tells it only to who listens by then. */
import { hear, offer } from "./acts.js";
import { hearScript, isCodeButtonOn, renewCodeButton, turnCodeButton } from "./code_button.js";
import { earlier } from "./earlier.js";
import { note, noted } from "./kept.js";
import { deliver, onPosted, post, retry, withdraw } from "./outbox.js";
import { pair, pairingState, unpair } from "./pairing.js";
import { reconnect, tellPanels, welcome } from "./panels.js";
import { picture } from "./pictures.js";
import { highlight, read, renewBlocked } from "./reading.js";
import { call } from "./server.js";
import { makeMenus, renewTools, tools } from "./tools.js";
import { claim, openByMenu, openFor, wanted } from "./ways_in.js";

chrome.runtime.onMessage.addListener(hear);
chrome.runtime.onMessage.addListener(hearScript);
chrome.runtime.onConnect.addListener(welcome);
chrome.runtime.onInstalled.addListener(makeMenus);
chrome.runtime.onStartup.addListener(makeMenus);
chrome.runtime.onInstalled.addListener(renewCodeButton);
chrome.permissions.onAdded.addListener(renewCodeButton);
chrome.permissions.onRemoved.addListener(renewCodeButton);
chrome.action.onClicked.addListener(openFor);
chrome.contextMenus.onClicked.addListener(openByMenu);
chrome.alarms.onAlarm.addListener(() => deliver());
chrome.storage.local.onChanged.addListener(turn);
onPosted(tellPanels);
deliver();

/** Paired, with another server maybe, or unpaired. */
async function turn({ pairing }) {
  if (!pairing || pairing.newValue?.token === pairing.oldValue?.token) return;
  reconnect();
  tellPanels({ isTurned: true });
  if (pairing.newValue) await Promise.allSettled([renewBlocked(), renewTools()]);
  else await makeMenus();
}

offer({
  pairing: pairingState,
  pair: ({ address }) => pair(address),
  unpair,
  wanted,
  claim,
  "code-button": isCodeButtonOn,
  "turn-code-button": turnCodeButton,
  read,
  highlight,
  post,
  retry,
  withdraw,
  tools,
  "renew-tools": renewTools,
  run: ({ id }) => call("GET", `/api/runs/${id}/`),
  stop: ({ run }) => call("POST", `/api/runs/${run}/stop/`, {}),
  earlier,
  picture,
  regenerate: ({ id, body }) => call("POST", `/api/messages/${id}/regenerate/`, body),
  continue: ({ id, body }) => call("POST", `/api/messages/${id}/continue/`, body),
  edit: ({ id, body }) => call("POST", `/api/messages/${id}/edit/`, body),
  branch: ({ id }) => call("POST", `/api/messages/${id}/show/`, {}),
  questions: ({ query }) => call("GET", `/api/questions/${query}`),
  question: ({ id }) => call("GET", `/api/questions/${id}/`),
  answer: ({ id, body }) => call("POST", `/api/questions/${id}/answer/`, { ...body, surface: "extension" }),
  skip: ({ id, body }) => call("POST", `/api/questions/${id}/skip/`, { ...body, surface: "extension" }),
  change: ({ id, body }) => call("POST", `/api/questions/${id}/change/`, { ...body, surface: "extension" }),
  extend: ({ id, body }) => call("POST", `/api/questions/${id}/extend/`, body),
  draft: ({ id, body }) => call("PUT", `/api/questions/${id}/draft/`, body),
  shown: ({ window }) => noted(`shown.${window}`),
  show: ({ window, conversation, tab }) => note(`shown.${window}`, { conversation, tab }),
});
