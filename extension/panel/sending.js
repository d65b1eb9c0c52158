import { ask } from "../asking.js";
import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";
import { nameOf } from "./tool_names.js";

/** Makes an entry of the outbox of what was asked. Its `client_id` is made once, here, or was made with the wish. */
export function entryOf({ client_id = crypto.randomUUID(), text, tool, context, conversation, window, tab }) {
  const meta = { client_id, surface: "extension", ...(tool && { tool }) };
  const messages = text.trim() ? [{ role: "user", content: text }] : [];
  return { client_id, conversation, window, tab, made: Date.now(), envelope: { context, meta, messages } };
}

/** What is not sent yet, and why: with Try again, and Edit, which puts it back into the composer. */
export class Unsent {
  #root;
  #edit;
  #tell;
  #shown = "";

  /** `edit(entry)` is told what to put back, `tell(problem)` what went wrong, or null. */
  constructor(root, { edit, tell }) {
    this.#root = root;
    this.#edit = edit;
    this.#tell = tell;
    root.addEventListener("click", ({ target }) => this.#click(target.closest("button")));
  }

  /** Each try tells anew; what looks the same stays, as one of its buttons may have the focus. */
  show(entries) {
    const shown = JSON.stringify(entries.map(({ client_id, problem }) => [client_id, problem?.message]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#root.replaceChildren(...entries.map(card));
  }

  async #click(button) {
    if (!button) return;
    const { client_id, act } = button.dataset;
    try {
      const entry = await ask(act, { client_id });
      if (entry) this.#edit(entry); // none where it was sent meanwhile, or taken by another panel
      this.#tell(null);
    } catch (problem) {
      this.#tell(problem);
    }
  }
}

function card({ client_id, envelope, problem }) {
  const text = envelope.messages.at(-1)?.content ?? nameOf(envelope.meta.tool);
  return element(
    "article",
    { className: "message message--user message--unsent" },
    element("div", { className: "message__text plain", dir: "auto" }, text),
    element("p", { className: "hint" }, problem ? words("not_sent") : words("waiting_to_send")),
    problem ? element("p", { className: "notice notice--error", role: "alert" }, problem.message) : null,
    problem ? buttons(client_id) : null,
  );
}

function buttons(client_id) {
  const place = element("div", { className: "actions" });
  place.append(button(client_id, "retry", "try_again"), button(client_id, "withdraw", "edit"));
  return place;
}

function button(client_id, act, name) {
  return element(
    "button",
    { type: "button", className: "quiet-button", "data-client_id": client_id, "data-act": act },
    words(name),
  );
}
