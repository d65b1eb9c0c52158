import { ask } from "../asking.js";
import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";

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

  constructor(root, edit) {
    this.#root = root;
    this.#edit = edit;
    root.addEventListener("click", ({ target }) => this.#click(target.closest("button")));
  }

  show(entries) {
    this.#root.replaceChildren(...entries.map(card));
  }

  async #click(button) {
    if (!button) return;
    const { client_id, act } = button.dataset;
    if (act === "retry") await ask("retry", { client_id });
    else this.#edit(await ask("withdraw", { client_id }));
    this.show(await ask("unsent"));
  }
}

function card({ client_id, envelope, problem }) {
  const text = envelope.messages.at(-1)?.content ?? envelope.meta.tool;
  return element(
    "article",
    { className: "message message--user message--unsent" },
    element("div", { className: "message__text plain", dir: "auto" }, text),
    element("p", { className: "hint" }, problem ? words("not_sent") : words("waiting_to_send")),
    problem ? element("p", { className: "notice notice--error", role: "alert" }, problem.message) : null,
    problem ? button(client_id, "retry", "try_again") : null,
    problem ? button(client_id, "edit", "edit") : null,
  );
}

function button(client_id, act, name) {
  return element(
    "button",
    { type: "button", className: "quiet-button", "data-client_id": client_id, "data-act": act },
    words(name),
  );
}
