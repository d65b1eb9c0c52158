import { ask } from "../asking.js";
import { putSummaries } from "./summary.js";

/** The question sets of the conversation that is shown: with the reply that asked, or at the time a script did. */
export class Summaries {
  #first;
  #sets = new Map();
  #conversation = null;

  /** `first` is the place for what was asked before the first message. */
  constructor(first) {
    this.#first = first;
  }

  /** Read them anew, back to the message that was written first of those that are shown. */
  async renew({ conversation, messages }) {
    if (conversation !== this.#conversation) this.#sets.clear();
    this.#conversation = conversation;
    const since = messages[0]?.id ?? "";
    let query = `?conversation=${conversation}`;
    while (query) {
      const { results, next } = await ask("questions", { query });
      if (conversation !== this.#conversation) return;
      for (const set of results) this.take(set);
      query = next && results.at(-1).id > since ? new URL(next).search : "";
    }
  }

  find(id) {
    return this.#sets.get(id);
  }

  /** How a set ended is the last word; what was read before it may come later. */
  take(set) {
    if (set?.conversation !== this.#conversation) return;
    if ((this.#sets.get(set.id)?.status ?? "pending") === "pending") this.#sets.set(set.id, set);
  }

  /** Put them where they belong. Ids are in order of time. */
  show({ conversation, messages, isWhole }) {
    const known = conversation === this.#conversation ? [...this.#sets.values()] : [];
    const sets = known.sort((one, other) => (one.id < other.id ? -1 : 1));
    const ofScripts = sets.filter(({ message, status }) => !message && status !== "pending");
    messages.forEach((message, index) => {
      const next = messages[index + 1]?.id;
      const asked = sets.filter((set) => set.message === message.id);
      const after = ofScripts.filter(({ id }) => id > message.id && (!next || id < next));
      message.sumUp({ asked, after });
    });
    const first = messages[0]?.id;
    putSummaries(this.#first, isWhole ? ofScripts.filter(({ id }) => !first || id < first) : []);
  }
}
