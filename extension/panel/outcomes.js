import { ask } from "../asking.js";

/** How runs ended that were over before this panel heard of them: the server is asked, where their ids are known. */
export class Outcomes {
  #runs = new Map(); // by reply

  /** What a post led to. */
  expect({ run, reply }) {
    if (run) this.#runs.set(reply.id, run.id);
  }

  show(messages) {
    for (const message of messages.filter(({ id, isFinished }) => isFinished && this.#runs.has(id))) {
      if (!message.isTold) this.#ask(message, this.#runs.get(message.id));
      this.#runs.delete(message.id);
    }
  }

  async #ask(message, id) {
    const run = await ask("run", { id }).catch(() => null);
    if (run && message.isFinished) message.end(run);
  }
}
