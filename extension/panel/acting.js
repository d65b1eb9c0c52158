import { ask } from "../asking.js";
import { words } from "../localise.js";
import { edit } from "./editing.js";
import { announce } from "./page.js";

const TOLD = 2000; // milliseconds

/** What the buttons of messages do. The server is asked; what comes of it is told by the socket. */
export class Acting {
  #transcript;
  #composer;
  #notices;
  #expect;
  #change;
  #ids = new Map(); // of what was asked for and not confirmed: asked for again, it is the same

  /** `expect(posted)` is told what an act led to, `change(id)` which question set is to be answered anew. */
  constructor(log, { transcript, composer, notices, expect, change }) {
    this.#transcript = transcript;
    this.#composer = composer;
    this.#notices = notices;
    this.#expect = expect;
    this.#change = change;
    log.addEventListener("click", ({ target }) => this.#click(target.closest("button[data-act]")));
  }

  #click(button) {
    const message = button && this.#transcript.find(button.closest("article").dataset.id);
    if (!message) return;
    const acts = {
      copy: () => copy(button, message.content),
      edit: () => edit(message, (content) => this.#edit(message, content)),
      ask_again: () => this.#composer.compose(this.#transcript.find(message.parent)?.content ?? ""),
      regenerate: () => this.#again("regenerate", message),
      continue: () => this.#again("continue", message),
      change: () => this.#change(button.dataset.set),
      branch: () => this.#branch(button.dataset.to),
    };
    acts[button.dataset.act]();
  }

  async #again(act, { id }) {
    const problem = await this.#post(act, id);
    this.#notices.show("acting", problem);
    if (!problem) this.#composer.focus();
  }

  async #edit({ id }, content) {
    const problem = await this.#post("edit", id, { content });
    if (!problem) this.#composer.focus();
    return problem;
  }

  async #branch(id) {
    const problem = await ask("branch", { id }).then(() => null, told);
    this.#notices.show("acting", problem);
    if (!problem) this.#transcript.lookAt(id);
  }

  /** Resolves to what went wrong, or null. */
  async #post(act, id, more = {}) {
    const key = JSON.stringify([act, id, more]);
    const client_id = this.#ids.get(key) ?? crypto.randomUUID();
    this.#ids.set(key, client_id);
    try {
      const posted = await ask(act, { id, body: { ...more, meta: { client_id, surface: "extension" } } });
      this.#ids.delete(key);
      this.#expect(posted);
      return null;
    } catch (problem) {
      return told(problem);
    }
  }
}

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.textContent = words("copied");
  announce(words("copied"));
  setTimeout(() => {
    button.textContent = words("copy");
  }, TOLD);
}

/** A worker that died before it answered has no words for that. */
function told(problem) {
  return problem.code ? problem : { code: "fault", message: words("problem_fault") };
}
