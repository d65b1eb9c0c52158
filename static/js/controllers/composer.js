import { post } from "askweb/api.js";
import { AttachedImages } from "askweb/attached_images.js";
import { ComposerPickers } from "askweb/composer_pickers.js";
import { Controller } from "askweb/controllers.js";
import { Draft } from "askweb/draft.js";
import { isLive } from "askweb/live.js";
import { conversationPage, copyOf, part, word } from "askweb/page.js";
import { isComposing } from "askweb/questions/composing.js";

/** Sends without a reload, and never loses a word: text leaves the composer only when it is stored. */
export class Composer extends Controller {
  #draft = null;
  #images = null;
  #isSending = false;

  connect() {
    const form = this.element;
    this.#draft = new Draft(form);
    new ComposerPickers(form, this.signal); // sees keys first
    this.#images = this.#attached();
    this.on(form, "submit", (event) => this.#submit(event));
    this.on(this.#text, "keydown", (event) => this.#key(event));
    this.on(form, "input", () => this.#draft.keep());
    this.on(document.getElementById("stop") ?? form, "submit", (event) => this.#stop(event));
    this.on(document, "askweb:running", ({ detail }) => this.#showRun(detail));
    this.on(document, "askweb:problem", ({ detail }) => this.#tellProblem(detail));
    this.on(document, "askweb:gone", () => this.#say(word("gone")));
    this.on(document, "askweb:compose", ({ detail }) => this.#compose(detail));
    this.on(document, "askweb:question-waits", ({ detail }) => this.#showWaiting(detail));
  }

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.altKey || isComposing(event)) return;
    event.preventDefault();
    this.element.requestSubmit();
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#isSending) return;
    if (this.element.dataset.run && !this.#waits) return this.#say(word("still_writing"));
    this.#busy(true);
    try {
      await this.#images.settled();
      if (!this.element.reportValidity()) return; // nothing is left to send without the image that failed
      const sent = post(this.#url, this.#draft.envelope(this.#images.ids));
      this.#tellReply(sent);
      this.#sent(await sent);
    } catch (problem) {
      this.#tellProblem(problem);
    } finally {
      this.#busy(false);
    }
  }

  /** What ends the questions that wait is this, then, and nobody elsewhere. */
  #tellReply(sent) {
    const detail = { id: this.element.dataset.waits, sent };
    if (this.#waits) document.dispatchEvent(new CustomEvent("askweb:question-replied", { detail }));
  }

  #sent({ conversation, run }) {
    this.#draft.clear();
    this.#images.clear();
    this.#say("");
    const isHere = !conversation || conversation.id === this.element.dataset.conversation;
    if (!isHere || !isLive()) return location.assign(isHere ? location.pathname : conversationPage(conversation.id));
    if (run) this.#showRun(run.id);
    document.dispatchEvent(new CustomEvent("askweb:sent"));
    this.#text.focus();
  }

  #attached() {
    return new AttachedImages(this.element, {
      key: `${this.#draft.key}.images`,
      changed: () => this.#draft.keep(),
      say: (words) => this.#say(words),
      signal: this.signal,
    });
  }

  async #stop(event) {
    const { run } = this.element.dataset;
    if (event.target === this.element || !run) return;
    event.preventDefault();
    this.#stopButton.disabled = true;
    try {
      await post(`/api/runs/${run}/stop/`);
    } catch {
      this.#say(word("stop_failed"));
      this.#stopButton.disabled = false;
    }
  }

  #showRun(run) {
    if (run === (this.element.dataset.run || null)) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.dataset.run = run ?? "";
    this.#send.hidden = Boolean(run) && !this.#waits;
    this.#stopButton.hidden = !run;
    this.#stopButton.disabled = false;
    if (!run) this.#say("");
    if (hadFocus && document.activeElement === document.body) this.#text.focus();
  }

  #take(text) {
    this.#draft.set(text);
    this.#text.focus();
  }

  /** Behind what stands there already, which alone is never sent unasked. */
  #compose({ text, sends = false }) {
    const before = this.#text.value.trimEnd();
    this.#take(before ? `${before}\n${text}` : text);
    if (sends && !before) this.element.requestSubmit();
  }

  /** While questions wait, what is sent is their answer, or skips them: the person says which. */
  #showWaiting(set) {
    this.element.dataset.waits = set ?? "";
    part(this.element, "pending").hidden = !set;
    part(this.element, "pending").disabled = !set;
    this.#send.hidden = Boolean(this.element.dataset.run) && !set;
  }

  #tellProblem({ code, message, data }) {
    this.#say(message);
    if (code !== "run.waiting") return;
    document.dispatchEvent(new CustomEvent("askweb:question-wanted", { detail: data.question_set }));
  }

  #say(text) {
    const place = part(this.element, "problem");
    place.replaceChildren();
    if (!text) return;
    const notice = copyOf(part(this.element, "problem-template"));
    part(notice, "problem-words").textContent = text;
    place.append(notice);
  }

  #busy(isSending) {
    this.#isSending = isSending;
    this.#send.disabled = isSending;
    this.element.setAttribute("aria-busy", String(isSending));
  }

  get #waits() {
    return Boolean(this.element.dataset.waits);
  }

  get #url() {
    const { conversation } = this.element.dataset;
    return conversation ? `/api/conversations/${conversation}/messages/` : "/api/conversations/";
  }

  get #text() {
    return this.element.elements.text;
  }

  get #send() {
    return part(this.element, "send");
  }

  get #stopButton() {
    return part(this.element, "stop");
  }
}
