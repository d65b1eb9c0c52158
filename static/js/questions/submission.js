import { announce, copyOf, part, word } from "askweb/page.js";
import { newId, Sending } from "askweb/questions/sending.js";

const MORE_TIME = 300; // seconds

/**
 * Sends what a panel holds. Everything stays as it is until the server has confirmed; then the element dispatches
 * "askweb:question-done" with { set, words }, or "askweb:question-ended" with { set } when something else was faster.
 */
export class Submission {
  #root;
  #answering;
  #transport;
  #sending;
  #ended = null;

  constructor(root, answering, transport) {
    this.#root = root;
    this.#answering = answering;
    this.#transport = transport;
    this.#sending = new Sending(transport, newId);
  }

  get isBusy() {
    return this.#sending.isBusy;
  }

  /** Something is told to have ended the set: this tab's own try, maybe. If its response is lost, ask again. */
  hold(set) {
    this.#ended = set;
  }

  /** `act` is "answer", or "change" for a set that was answered. */
  submit(act) {
    const body = this.#answering.body();
    const words = act === "change" ? "question_changed" : "question_sent";
    return this.#send("question_submitting", words, () => this.#sending[act](body));
  }

  skip() {
    if (this.#answering.hasTyped) return this.ask(true);
    return this.reallySkip();
  }

  reallySkip() {
    return this.#send("question_skipping", "question_skipped", () => this.#sending.skip());
  }

  /** Whether to skip although something was typed. */
  ask(asks) {
    part(this.#root, "sure").hidden = !asks;
    part(this.#root, "actions").hidden = asks;
    part(this.#root, asks ? "keep" : "skip").focus();
  }

  /** Resolves to the set with its new deadline; null when that was not possible. */
  async extend() {
    try {
      const set = await this.#transport.extend({ seconds: MORE_TIME });
      announce(word(set.extended_by ? "question_extended" : "question_no_more_time"));
      return set;
    } catch (problem) {
      this.#refused(problem);
      return null;
    }
  }

  say(text) {
    const place = part(this.#root, "problem");
    place.replaceChildren();
    if (!text) return;
    const notice = copyOf(part(this.#root, "problem-template"));
    part(notice, "problem-words").textContent = text;
    place.append(notice);
    place.scrollIntoView({ block: "nearest" });
  }

  async #send(doing, done, act) {
    if (this.isBusy) return;
    this.say("");
    this.#show(word(doing));
    try {
      const set = await act().catch((problem) => this.#again(problem, act));
      this.#tell("askweb:question-done", { set, words: word(done) });
    } catch (problem) {
      this.#refused(problem);
    } finally {
      this.#show(null);
    }
  }

  #again(problem, act) {
    if (!this.#ended || problem.data?.question_set) throw problem;
    return act();
  }

  #refused(problem) {
    const set = problem.status === 409 ? problem.data?.question_set : null;
    if (set) return this.#tell("askweb:question-ended", { set });
    this.say(problem.message);
  }

  #show(doing) {
    const button = part(this.#root, "submit");
    part(this.#root, "form").setAttribute("aria-busy", String(Boolean(doing)));
    button.setAttribute("aria-disabled", String(Boolean(doing)));
    button.textContent = doing ?? word("question_submit");
    if (doing) announce(doing);
  }

  #tell(type, detail) {
    this.#root.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
