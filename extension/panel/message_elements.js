import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";

/** A message's element before anything is known of it, with `data-part`s to find things by. */
export function messageElement(role) {
  if (role === "assistant") return replyElement();
  return role === "user" ? ownElement() : resultElement(role);
}

function ownElement() {
  const text = element("div", { className: "message__text plain", dir: "auto", "data-part": "text" });
  const pictures = element("div", { className: "pictures", "data-part": "pictures" });
  return article("message--user", words("you"), toolChip(), pictures, text, actions());
}

function toolChip() {
  const kind = element("span", { className: "visually-hidden" }, `${words("tool")}: `);
  const name = element("span", { dir: "auto", "data-part": "tool" });
  return element("span", { className: "chip chip--tool", hidden: true }, kind, name);
}

function replyElement() {
  const text = element("div", { className: "message__text prose", dir: "auto", "data-part": "text" });
  const outcome = element("p", { className: "message__outcome", dir: "auto", "data-part": "outcome" });
  return article("message--reply", words("assistant"), thinking(), place("asked"), text, outcome, actions());
}

/** What a function gave, or what the system was told: there to be looked up. */
function resultElement(role) {
  const name = words(role === "tool" ? "result" : "system_message");
  const text = element("pre", { className: "plain", tabIndex: 0, "data-part": "text" });
  return article("", name, element("details", { className: "reasoning" }, element("summary", {}, name), text));
}

function article(kind, name, ...children) {
  return element("article", { className: `message ${kind}`, "aria-label": name }, ...children, place("asked-after"));
}

function thinking() {
  return element(
    "details",
    { className: "reasoning", hidden: true, "data-part": "thinking" },
    element("summary", {}, words("thinking")),
    element("div", { className: "plain", dir: "auto", "data-part": "reasoning" }),
  );
}

function actions() {
  return element("div", { className: "actions", "data-part": "actions" });
}

/** A place for summaries of questions. */
function place(name) {
  return element("div", { className: "message__asked", "data-part": name });
}
