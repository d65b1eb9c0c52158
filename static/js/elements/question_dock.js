import { page } from "askweb/api.js";
import { announce, part, word } from "askweb/page.js";
import { Outcome } from "askweb/questions/outcome.js";
import { transportOf } from "askweb/questions/transport.js";

const ENDED = ["answered", "skipped", "expired", "cancelled"];

/** The place above the composer where questions are asked, kept as the socket tells. */
export class QuestionDock extends HTMLElement {
  #ending = null;
  #outcome = null;
  #coming = null; // the address of the panel that is on its way
  #replied = null; // { id, sent } of what the composer has sent to a set: `sent` resolves once that has arrived
  #waiting = null; // the id of the set that is pending, be its panel here or that of an answer to be changed

  connectedCallback() {
    this.#ending = new AbortController();
    this.#outcome = new Outcome(part(this, "outcome"), this.#ending.signal);
    const on = (target, type, act) =>
      target.addEventListener(type, ({ detail }) => act(detail), { signal: this.#ending.signal });
    on(document, "askweb:question-pending", (set) => this.#sync(set));
    on(document, "askweb:question", (meta) => this.#take(meta));
    on(document, "askweb:question-wanted", (set) => this.#want(set));
    on(document, "askweb:question-replied", (reply) => (this.#replied = reply));
    on(document, "askweb:change-answer", (id) => this.#change(id));
    on(this, "askweb:question-done", ({ set, words }) => this.#done(set, words));
    on(this, "askweb:question-ended", ({ set }) => this.#end(set));
    on(this, "askweb:question-overdue", () => this.#ask());
    on(this, "askweb:question-left", () => this.#leave());
    document.addEventListener("click", (event) => this.#skipTo(event), { signal: this.#ending.signal });
    document.addEventListener("input", ({ target }) => this.#makeRoom(target), { signal: this.#ending.signal });
    customElements.whenDefined("question-panel").then(() => this.#begin());
  }

  disconnectedCallback() {
    this.#ending.abort();
  }

  #begin() {
    this.#panel?.state.arrive();
    this.#wait(this.#panel?.dataset.set ?? null);
  }

  /** Whoever goes on typing below an open panel wants the composer. */
  #makeRoom(target) {
    if (target.id === "composer-text" && this.#panel?.state.isOpen) this.#panel.state.collapse();
  }

  /** While the panel has the composer's place, links to the composer lead to the panel. */
  #skipTo(event) {
    const isHidden = !document.getElementById("composer-text").getClientRects().length;
    if (!isHidden || !this.#panel || !event.target.closest('a[href="#composer-text"]')) return;
    event.preventDefault();
    this.#panel.wizard.steps.focus();
  }

  /** A message could not be sent, since this waits for an answer. */
  async #want(set) {
    if (this.#panel?.dataset.set !== set.id) await this.#show(set.id);
    this.#panel?.state.openBeside();
  }

  /** What a snapshot says is pending, or that nothing is. */
  #sync(set) {
    this.#preview(null);
    if (set) this.#pending(set);
    else if (this.#isAnswering) this.#ask();
  }

  #take({ event, question, question_set: set }) {
    if (event === "question.preview") return this.#preview(question);
    if (event === "question.asked") this.#preview(null);
    if (!set) return;
    if (set.status === "pending") this.#pending(set);
    else if (this.#isAnswering && this.#panel.dataset.set === set.id) this.#end(set);
    else this.#over(set);
  }

  #pending(set) {
    document.dispatchEvent(new CustomEvent("askweb:question-came", { detail: set }));
    this.#wait(set.id);
    if (this.#isAnswering && this.#panel.dataset.set === set.id) this.#panel.update(set);
    else if (!this.#panel || this.#isAnswering) this.#show(set.id);
  }

  async #show(id) {
    if (await this.#fetch(`/questions/${id}/panel/`)) this.#panel.state.arrive();
  }

  async #change(id) {
    if (await this.#fetch(`/questions/${id}/panel/?change`)) this.#panel.wizard.steps.goTo(0);
  }

  /** Resolves to false where there is no panel any more, or another was wanted meanwhile. */
  async #fetch(address) {
    if (this.#coming === address) return false;
    this.#coming = address;
    const found = (await page(address).catch(() => null))?.querySelector("question-panel");
    if (this.#coming !== address) return false;
    this.#coming = null;
    if (!found) return false;
    this.#outcome.close();
    this.#replace(document.importNode(found, true));
    return true;
  }

  /** How the set of the panel ended, which this tab has missed; or that it has not. */
  async #ask() {
    const set = await transportOf(this.#panel.dataset.set)
      .read()
      .catch(() => null);
    if (!set || this.#panel?.dataset.set !== set.id) return;
    if (ENDED.includes(set.status)) this.#end(set);
    else this.#panel.update(set);
  }

  #done(set, words) {
    const { changes } = this.#panel;
    if (!changes) this.#over(set);
    this.#leave();
    announce(words);
  }

  async #end(set) {
    const { wizard } = this.#panel;
    if (wizard.submission.isBusy) return wizard.submission.hold(set);
    const isOwn = await this.#hasReplied(set.id);
    if (this.#panel?.wizard !== wizard) return;
    if (isOwn) return this.#done(set, word(set.status === "answered" ? "question_sent" : "question_skipped"));
    this.#over(set);
    this.#leave();
    this.#outcome.show(set, wizard.answering.hasTyped ? wizard.answering.asText() : "");
    announce(word(`question_ended_${set.status}`));
  }

  /** Whether it was this tab's composer that ended the set; its response may come after the news. */
  async #hasReplied(id) {
    if (this.#replied?.id !== id) return false;
    return this.#replied.sent.then(
      () => true,
      () => false,
    );
  }

  #over(set) {
    if (this.#waiting === set.id) this.#wait(null);
    if (this.#coming?.includes(set.id)) this.#coming = null;
    document.dispatchEvent(new CustomEvent("askweb:question-over", { detail: set }));
  }

  /** The focus goes where one goes on, unless it is somewhere else already. */
  #leave() {
    const hadFocus = this.#panel?.contains(document.activeElement);
    this.#replace();
    if (this.#waiting) this.#show(this.#waiting);
    if (hadFocus && matchMedia("(pointer: fine)").matches) document.getElementById("composer-text").focus();
  }

  #preview(text) {
    part(this, "preview").hidden = !text;
    part(this, "preview-text").textContent = text ?? "";
  }

  #replace(...panels) {
    part(this, "panel").replaceChildren(...panels);
  }

  #wait(id) {
    this.#waiting = id;
    document.dispatchEvent(new CustomEvent("askweb:question-waits", { detail: id }));
  }

  get #panel() {
    return this.querySelector("question-panel");
  }

  get #isAnswering() {
    return Boolean(this.#panel && !this.#panel.changes);
  }
}
