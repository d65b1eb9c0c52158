import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";

const BROKEN_OFF = ["stopped", "interrupted", "failed"];

/**
 * Show what can be done with a message as it is now: buttons, each with the act that acting.js knows. Those that are
 * right stay, as one may have the focus. Which of them only the newest message has is told in panel.css.
 */
export function showActions(place, message) {
  const names = message.isFinished ? actsOf(message) : [];
  const branches = message.isFinished && message.siblings.length > 1 ? message.siblings : [];
  const wanted = [...names, ...branches].join();
  if ((place.dataset.holds ?? "") === wanted) return;
  place.dataset.holds = wanted;
  place.replaceChildren(...(branches.length ? [branchesOf(message)] : []), ...names.map(action));
}

function actsOf({ isReply, parent, content, state, isCut }) {
  if (!isReply) return ["edit"];
  return [
    content && (isCut || BROKEN_OFF.includes(state)) && "continue",
    state === "failed" && "ask_again",
    content && "copy",
    parent && "regenerate",
  ].filter(Boolean);
}

function action(name) {
  return element("button", { type: "button", className: "quiet-button", "data-act": name }, words(name));
}

function branchesOf({ id, siblings }) {
  const index = siblings.indexOf(id);
  const [number, count] = [index + 1, siblings.length];
  return element(
    "div",
    { className: "branches", role: "group", "aria-label": words("versions") },
    arrow("‹", words("version_before"), siblings[index - 1]),
    element("span", { className: "branches__place", "aria-hidden": "true" }, `${number} / ${count}`),
    element("span", { className: "visually-hidden" }, words("version_of", number, count)),
    arrow("›", words("version_after"), siblings[index + 1]),
  );
}

function arrow(sign, name, to) {
  const about = { "aria-label": name, title: name, "data-act": "branch", "data-to": to ?? "" };
  return element("button", { type: "button", className: "icon-button", disabled: !to, ...about }, sign);
}
