import { ask } from "../asking.js";
import { QuestionCards } from "../shared/questions/question_cards.js";
import { announce } from "./page.js";

customElements.define("askweb-question-cards", QuestionCards);

/** The place where questions are asked: stacked cards, shared with the Control UI. */
export class Questions {
  #root;
  #words;
  #set = null;

  constructor(root, words) {
    this.#root = root;
    this.#words = words;
    root.addEventListener("askweb:question-done", ({ detail }) => this.#end(detail.set));
    root.addEventListener("askweb:question-ended", ({ detail }) => this.#end(detail.set));
    root.addEventListener("askweb:question-overdue", () => this.#ask());
  }

  /** What waits, as a snapshot tells; null when nothing does. */
  sync(set) {
    if (set) this.#show(set);
    else this.#close();
  }

  take({ question_set: set }) {
    if (!set) return;
    if (set.status === "pending") this.#show(set);
    else if (set.id === this.#set?.id) this.#end(set);
  }

  get #cards() {
    return this.#root.querySelector("askweb-question-cards");
  }

  #show(set) {
    if (this.#set?.id === set.id) return this.#cards.update(set);
    this.#set = set;
    const cards = document.createElement("askweb-question-cards");
    this.#root.querySelector('[data-part="cards"]').replaceChildren(cards);
    this.#root.hidden = false;
    cards.ask(set, { transport: transportOf(set.id), words: this.#words });
    const [{ header, question }] = set.questions;
    announce(this.#words.question_came.replace("{header}", header).replace("{question}", question));
  }

  #end(set) {
    if (set.status !== "pending") announce(this.#words[`question_ended_${set.status}`] ?? "");
    this.#close();
  }

  /** How it ended, which was missed; or that it has not. */
  async #ask() {
    const set = this.#set && (await ask("question", { id: this.#set.id }).catch(() => null));
    if (set) this.take({ question_set: set });
  }

  #close() {
    this.#set = null;
    this.#root.hidden = true;
    this.#root.querySelector('[data-part="cards"]').replaceChildren();
  }
}

function transportOf(id) {
  const act = (name) => (body) => ask(name, { id, body });
  return { answer: act("answer"), skip: act("skip"), extend: act("extend"), draft: act("draft") };
}
