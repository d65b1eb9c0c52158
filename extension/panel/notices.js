import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";

const PAIRING = ["unpaired", "revoked"];

/** What is wrong, at most one sentence about each thing, with the button that mends it. */
export class Notices {
  #root;
  #shown = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** `about` is "server", "page", "sending", "acting" or "earlier"; null as the problem takes it away. */
  show(about, problem) {
    if (problem) this.#shown.set(about, problem);
    else this.#shown.delete(about);
    const once = new Map([...this.#shown.values()].map((each) => [each.message, each]));
    this.#root.replaceChildren(...[...once.values()].map(notice));
  }
}

function notice({ code, message }) {
  const isPairing = PAIRING.includes(code);
  const pair = isPairing
    ? element("button", { type: "button", className: "button" }, words(code === "revoked" ? "pair_again" : "pair"))
    : null;
  pair?.addEventListener("click", () => chrome.runtime.openOptionsPage());
  return element(
    "div",
    { className: `notice ${isPairing ? "" : "notice--error"}`, "data-code": code },
    element("p", {}, message),
    pair,
  );
}
