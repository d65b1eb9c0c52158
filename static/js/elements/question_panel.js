import { announce, part, word } from "askweb/page.js";
import { actOf } from "askweb/questions/keys.js";
import { PanelState } from "askweb/questions/panel_state.js";
import { clock, TimeLeft } from "askweb/questions/time_left.js";
import { transportOf } from "askweb/questions/transport.js";
import { Wizard } from "askweb/questions/wizard.js";

const TOLD_AT = { 60: "question_minute_left", 10: "question_seconds_left" };

/** The wizard of one question set: the server's form, shown one question at a time. */
export class QuestionPanel extends HTMLElement {
  #ending = null;
  #time = new TimeLeft(
    (seconds) => this.#tick(seconds),
    () => this.#overdue(),
  );

  connectedCallback() {
    this.set = JSON.parse(this.querySelector('script[type="application/json"]').textContent);
    this.state = new PanelState(this);
    this.wizard = new Wizard(this, { set: this.set, transport: transportOf(this.set.id), changes: this.changes });
    this.#listen();
    if (!this.changes) this.#time.set(this.set.seconds_left);
  }

  disconnectedCallback() {
    this.#ending.abort();
    this.#time.stop();
    this.wizard.drafting.stop();
  }

  /** Whether it holds an answer that was given, to be changed. */
  get changes() {
    return this.dataset.mode === "change";
  }

  /** The set as the server tells it: another deadline, or a draft of another tab. */
  update(set) {
    this.#time.set(set.seconds_left);
    this.wizard.drafting.seen(set.draft);
  }

  #listen() {
    this.#ending = new AbortController();
    const on = (type, act) => this.addEventListener(type, act, { signal: this.#ending.signal });
    on("submit", (event) => this.#submit(event));
    on("click", (event) => this.#click(event.target.closest("button")));
    on("input", ({ target }) => this.#take(target));
    on("keydown", (event) => this.#key(event));
    on("keyup", () => this.removeAttribute("data-beside"));
    on("paste", (event) => this.wizard.images.paste(event) && event.preventDefault());
  }

  #take(target) {
    if (target === part(this, "files")) this.wizard.images.add([...target.files]);
    else if (!target.dataset.alert) this.wizard.edit(() => this.wizard.take(target));
  }

  async #submit(event) {
    event.preventDefault();
    const { value, dataset } = event.submitter ?? {};
    if (dataset?.suggestion) return this.wizard.suggest(dataset.suggestion);
    if (value === "skip") return this.wizard.submission.skip();
    if (value !== "extend") return this.wizard.submit();
    const set = await this.wizard.submission.extend();
    if (set) this.update(set);
  }

  #click(button) {
    this.removeAttribute("data-beside");
    const { wizard } = this;
    const acts = {
      toggle: () => this.state.toggle(),
      back: () => wizard.goBy(-1),
      next: () => wizard.goBy(1),
      clear: () => wizard.edit(() => wizard.steps.field.clear()),
      keep: () => wizard.submission.ask(false),
      "really-skip": () => wizard.submission.reallySkip(),
      cancel: () => this.dispatchEvent(new CustomEvent("askweb:question-left", { bubbles: true })),
    };
    if (button?.dataset.step) wizard.goTo(Number(button.dataset.step));
    else if (button?.dataset.edit) this.#compose(button.dataset.edit);
    else acts[button?.dataset.part]?.();
  }

  #compose(index) {
    this.state.collapse();
    const detail = { text: this.set.questions[0].options[index].label };
    document.dispatchEvent(new CustomEvent("askweb:compose", { detail }));
  }

  #key(event) {
    const wish = actOf(event);
    if (!wish || !this.state.isOpen) return;
    const { wizard } = this;
    const { field } = wizard.steps;
    if (wish.act === "toggle") wizard.edit(() => field?.toggle(wish.index));
    else if (wish.act === "move") field?.move(event.target, wish.by);
    else if (wish.act === "collapse") this.state.collapse();
    else if (wish.act === "submit") wizard.submit();
    else if (wish.act === "advance") wizard.advance();
    event.preventDefault();
  }

  #tick(seconds) {
    part(this, "time").textContent = clock(seconds);
    if (TOLD_AT[seconds]) announce(word(TOLD_AT[seconds]));
  }

  #overdue() {
    this.dispatchEvent(new CustomEvent("askweb:question-overdue", { bubbles: true }));
  }
}
