import { announce, conversationPage, word } from "askweb/page.js";
import { setBadge } from "askweb/title.js";

const PREFIX = "askweb.alert.";

/** Tells of questions as they come: read out, in the title, and by sound and notification for who wants them. */
export function startAlerts(socket) {
  const waiting = new Set();
  const keep = (id, isWaiting) => {
    if (isWaiting) waiting.add(id);
    else waiting.delete(id);
    setBadge(waiting.size);
  };
  const come = (set) => {
    const isNew = !waiting.has(set.id);
    keep(set.id, true);
    if (isNew) tell(set);
  };
  socket.addEventListener("frame", ({ detail: { meta } }) => {
    const set = meta.question_set;
    if (meta.event === "question.asked" && set) come(set);
    else if (set && set.status !== "pending") keep(set.id, false);
  });
  document.addEventListener("askweb:question-known", ({ detail }) => keep(detail.id, true)); // no news
  document.addEventListener("askweb:question-came", ({ detail }) => come(detail));
  document.addEventListener("askweb:question-over", ({ detail }) => keep(detail.id, false));
  document.addEventListener("askweb:question-waits", ({ detail }) => detail && keep(detail, true));
}

export function wants(alert) {
  try {
    return localStorage.getItem(PREFIX + alert) === "on";
  } catch {
    return false; // storage can be switched off
  }
}

export function want(alert, isOn) {
  try {
    if (isOn) localStorage.setItem(PREFIX + alert, "on");
    else localStorage.removeItem(PREFIX + alert);
  } catch {
    return;
  }
}

function tell(set) {
  const [{ header, question: written }] = set.questions;
  const question = plain(written);
  const isHere = document.querySelector("question-dock")?.dataset.conversation === set.conversation;
  const words = word(isHere ? "question_came" : "question_elsewhere");
  announce(words.replace("{header}", header).replace("{question}", question));
  if (wants("sound")) beep();
  if (wants("notification")) notify(set, header, question);
}

function notify(set, title, body) {
  if (globalThis.Notification?.permission !== "granted") return;
  const notification = new Notification(title, { body, tag: set.id });
  notification.addEventListener("click", () => {
    window.focus();
    if (location.pathname !== conversationPage(set.conversation)) location.assign(conversationPage(set.conversation));
  });
}

/** What is read out or shown as text: inline Markdown without its signs. */
function plain(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`+)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, "$1");
}

function beep() {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.frequency.value = 660;
  tone.connect(volume).connect(audio.destination);
  tone.addEventListener("ended", () => audio.close());
  tone.start();
  tone.stop(audio.currentTime + 0.4);
  // Until the person has touched the page, browsers keep it silent; later the sound would mean nothing.
  setTimeout(() => audio.state === "suspended" && audio.close(), 1000);
}
