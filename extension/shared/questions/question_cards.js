import { Answering } from "./answering.js";
import { cardsForm, element } from "./card_elements.js";
import { Drafting } from "./drafting.js";
import { actOf } from "./keys.js";
import { QuestionFields } from "./question_fields.js";
import { newId, Sending } from "./sending.js";
import { clock, TimeLeft } from "./time_left.js";

const MORE_TIME = 300; // seconds

/**
 * A question set as cards below each other, with one Submit, for small surfaces. `ask(set, { transport, words })` fills
 * it; `transport` has answer, skip, extend and draft, which take a body and resolve to what the API answers. Dispatches
 * "askweb:question-done" with { set } once the server has confirmed, "askweb:question-ended" with { set } when
 * something else was faster, and "askweb:question-overdue".
 */
export class QuestionCards extends HTMLElement {
  #words = {};
  #transport = null;
  #fields = [];
  #time = new TimeLeft(
    (seconds) => this.#tick(seconds),
    () => this.#tell("askweb:question-overdue"),
  );

  ask(set, { transport, words }) {
    this.#words = words;
    this.#transport = transport;
    this.answering = new Answering(set);
    this.sending = new Sending(transport, newId);
    this.drafting?.stop();
    this.drafting = new Drafting({
      read: () => this.answering.draft(),
      save: (draft) => transport.draft(draft),
      take: (draft) => this.#take(draft),
      isEnding: () => this.sending.isBusy,
      revision: set.draft?.revision,
    });
    this.#build(set);
    this.update(set);
  }

  /** The set as the server tells it: another deadline, or a draft from elsewhere. */
  update(set) {
    this.#time.set(set.seconds_left);
    this.drafting.seen(set.draft);
  }

  disconnectedCallback() {
    this.#time.stop();
    this.drafting?.stop();
  }

  submit() {
    const fault = this.answering.fault();
    if (!fault) return this.#end("answer", this.answering.body());
    this.#say(this.#words[`question_${fault.code}`]);
    this.#fields.find((field) => field.id === fault.id)?.text.focus();
  }

  #build(set) {
    const form = cardsForm(set, this.#words);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", ({ target }) => this.#edit(target));
    form.addEventListener("keydown", (event) => this.#key(event));
    form.addEventListener("click", ({ target }) => this.#click(target.closest("button")));
    this.replaceChildren(form);
    const cards = [...form.querySelectorAll("[data-question]")];
    this.#fields = cards.map((card) => new QuestionFields(card, this.answering));
    this.#take(this.answering.draft());
  }

  #take(draft) {
    this.answering.restore(draft);
    this.#part("comment").value = draft.comment;
    for (const field of this.#fields) field.show();
  }

  #edit(target) {
    if (target === this.#part("comment")) this.answering.comment = target.value;
    else this.#fieldOf(target)?.take(target);
    this.drafting.changed();
  }

  #key(event) {
    const wish = actOf(event);
    if (!wish || wish.act === "collapse") return;
    const field = this.#fieldOf(event.target);
    if (wish.act === "toggle" && field?.toggle(wish.index)) this.drafting.changed();
    else if (wish.act === "move") field?.move(event.target, wish.by);
    else if (wish.act === "submit" || wish.act === "advance") this.submit();
    event.preventDefault();
  }

  #click(button) {
    const acts = {
      submit: () => this.submit(),
      extend: () => this.#extend(),
      skip: () => (this.answering.hasTyped ? this.#ask(true) : this.#end("skip")),
      "really-skip": () => this.#end("skip"),
      keep: () => this.#ask(false),
    };
    if (button?.dataset.suggestion) this.#suggest(button.dataset.suggestion);
    else acts[button?.dataset.part]?.();
  }

  async #suggest(index) {
    const before = this.answering.draft();
    this.answering.choose(this.answering.questions[0].id, index, true);
    await this.#end("answer", this.answering.body());
    this.answering.restore(before);
  }

  #ask(asks) {
    this.#part("sure").hidden = !asks;
    this.#part("actions").hidden = asks;
    this.#part(asks ? "keep" : "skip").focus();
  }

  async #extend() {
    try {
      const set = await this.#transport.extend({ seconds: MORE_TIME });
      this.update(set);
      this.#announce(this.#words[set.extended_by ? "question_extended" : "question_no_more_time"]);
    } catch (problem) {
      this.#refused(problem);
    }
  }

  async #end(act, body) {
    if (this.sending.isBusy) return;
    this.#say("");
    this.#busy(this.#words[act === "skip" ? "question_skipping" : "question_submitting"]);
    try {
      this.#tell("askweb:question-done", { set: await this.sending[act](body) });
    } catch (problem) {
      this.#refused(problem);
    } finally {
      this.#busy(null);
    }
  }

  #refused(problem) {
    const set = problem.status === 409 ? problem.data?.question_set : null;
    if (set) this.#tell("askweb:question-ended", { set });
    else this.#say(problem.message);
  }

  #busy(words) {
    this.#part("submit").textContent = words ?? this.#words.question_submit;
    this.#part("submit").setAttribute("aria-disabled", String(Boolean(words)));
    this.querySelector("form").setAttribute("aria-busy", String(Boolean(words)));
    if (words) this.#announce(words);
  }

  #say(text) {
    const notice = text ? [element("p", { className: "notice notice--error" }, text)] : [];
    this.#part("problem").replaceChildren(...notice);
  }

  #announce(text) {
    this.#part("said").textContent = text;
  }

  #tick(seconds) {
    this.#part("time").textContent = this.#words.question_time.replace("{time}", clock(seconds));
  }

  #fieldOf(target) {
    return this.#fields.find((field) => field.root.contains(target));
  }

  #part(name) {
    return this.querySelector(`[data-part="${name}"]`);
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
