import { ask } from "../asking.js";
import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";
import { QuestionCards } from "../shared/questions/question_cards.js";
import { changing } from "./changing.js";
import { announce, part } from "./page.js";

customElements.define("askweb-question-cards", QuestionCards);

/** The place where questions are asked: stacked cards, shared with the Control UI. */
export class Questions {
  #root;
  #words;
  #leave;
  #set = null;
  #isChange = false;

  /** `leave()` is told when the focus was in cards that are gone. */
  constructor(root, { spoken, leave }) {
    this.#root = root;
    this.#words = spoken;
    this.#leave = leave;
    root.addEventListener("askweb:question-done", ({ detail }) => this.#done(detail.set));
    root.addEventListener("askweb:question-ended", ({ detail }) => this.#end(detail.set));
    root.addEventListener("askweb:question-overdue", () => this.#ask());
  }

  /** What waits, as a snapshot of this conversation tells; null when nothing does. */
  sync(set, conversation) {
    if (set) this.#show(set);
    else if (!this.#isChange || this.#set.conversation !== conversation) this.#close();
  }

  take({ question_set: set }) {
    if (!set) return;
    if (set.status === "pending") this.#show(set);
    else if (set.id === this.#set?.id && !this.#cards.sending.isBusy) this.#end(set);
  }

  /** Have an answer that was given changed. What waits comes first. */
  change(set) {
    if (this.#set && !this.#isChange) return;
    this.#put(set, changing(set, this.#words), element("p", { className: "hint" }, words("change_hint")));
    this.#isChange = true;
    (this.#cards.querySelector("input:checked") ?? this.#cards.querySelector("input, textarea, button")).focus();
  }

  get #cards() {
    return this.#root.querySelector("askweb-question-cards");
  }

  #show(set) {
    if (this.#set?.id === set.id) return this.#cards.update(set);
    this.#put(set, { set, transport: transportOf(set.id), words: this.#words });
    const [{ header, question }] = set.questions;
    announce(this.#words.question_came.replace("{header}", header).replace("{question}", question));
  }

  #put(set, { set: shown, ...means }, ...before) {
    this.#close();
    this.#set = set;
    const cards = document.createElement("askweb-question-cards");
    part(this.#root, "cards").replaceChildren(...before, cards);
    this.#root.hidden = false;
    cards.ask(shown, means);
  }

  /** The server has what the person did here; or nothing was changed, and then there is no set. */
  #done(set) {
    const said = this.#isChange ? "question_changed" : `question_${set?.status === "skipped" ? "skipped" : "sent"}`;
    if (set) announce(this.#words[said]);
    this.#close();
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
    const hadFocus = this.#root.contains(document.activeElement);
    this.#set = null;
    this.#isChange = false;
    this.#root.hidden = true;
    part(this.#root, "cards").replaceChildren();
    if (hadFocus) this.#leave();
  }
}

function transportOf(id) {
  const act = (name) => (body) => ask(name, { id, body });
  return { answer: act("answer"), skip: act("skip"), extend: act("extend"), draft: act("draft") };
}
