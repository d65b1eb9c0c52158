import { isOurPage } from "./acts.js";
import { deliver, tellUnsent } from "./outbox.js";
import { Socket } from "./socket.js";

const panels = new Map(); // each port with the conversations that it follows
const socket = new Socket(tellPanels);

/** A port of a panel: what comes over the socket goes to it, and its commands to the socket. */
export function welcome(port) {
  if (port.name !== "panel" || !isOurPage(port.sender)) return port.disconnect();
  panels.set(port, new Set());
  port.onMessage.addListener((meta) => command(port, meta));
  port.onDisconnect.addListener(() => leave(port));
  if (socket.isOpen) port.postMessage({ status: "open" });
  else socket.hurry();
  socket.open();
  tellUnsent();
  deliver();
}

export function tellPanels(told) {
  if (told.status === "open") {
    socket.send({ command: "subscribe" }); // the person's feed
    deliver();
  }
  if (told.posted) socket.hurry(); // the server is there: its answer is waited for
  for (const port of panels.keys()) port.postMessage(told);
}

/** After pairing with a server, or another one. */
export function reconnect() {
  socket.close();
  if (panels.size) socket.open();
  deliver();
}

function command(port, { command, conversation, ...more }) {
  const followed = panels.get(port);
  if (command === "subscribe" && conversation) followed.add(conversation);
  if (command === "unsubscribe") {
    followed.delete(conversation);
    if (isFollowed(conversation)) return;
  }
  if (["subscribe", "unsubscribe", "ack"].includes(command)) socket.send({ command, conversation, ...more });
}

function leave(port) {
  const followed = panels.get(port);
  panels.delete(port);
  for (const conversation of followed) {
    if (!isFollowed(conversation)) socket.send({ command: "unsubscribe", conversation });
  }
  if (!panels.size) socket.close();
}

function isFollowed(conversation) {
  return [...panels.values()].some((followed) => followed.has(conversation));
}
