import { Countdown } from "askweb/countdown.js";
import { freshMessage } from "askweb/fresh_messages.js";
import { GrowingText } from "askweb/growing_text.js";
import { part } from "askweb/page.js";
import { ReplyText } from "askweb/reply_text.js";

/** One message. The server has rendered it, or it is a copy of the transcript's template. */
export class ChatMessage extends HTMLElement {
  #text = null;
  #reasoning = null;
  #countdown = null;

  disconnectedCallback() {
    this.#countdown?.stop();
  }

  get isFinished() {
    return !["", "streaming"].includes(this.dataset.state);
  }

  /** Take over what a message of the socket says; it may be new, further on, or finished. */
  show(message) {
    this.id = `message-${message.id}`;
    this.dataset.id = message.id;
    this.dataset.parent = message.parent ?? "";
    this.dataset.state = message.state;
    if (message.role !== "assistant") return this.#showPlain(message);
    if (message.state === "streaming") return this.#showSoFar(message);
    this.#showFinished(message);
  }

  /** The provider could not answer, and is tried again. */
  retry(meta) {
    this.#countdown ??= new Countdown(part(this, "retrying"));
    this.#countdown.start(meta);
  }

  append({ content = "", reasoning_content: reasoning = "" }) {
    this.#countdown?.stop();
    if (content) {
      this.setAttribute("aria-busy", "true");
      this.#reply().add(content);
    }
    if (reasoning) {
      part(this, "thinking").hidden = false;
      this.#growingReasoning().add(reasoning);
    }
  }

  /** Show a rendered block instead of its text. False when it does not fit what is shown. */
  addBlock(block) {
    return this.#reply().addBlock(block);
  }

  /** Chips, outcome, links and summaries are made by the server. Without them the message can still be read. */
  async refresh() {
    const fresh = await freshMessage(this.dataset.id);
    if (!fresh || fresh.dataset.state !== this.dataset.state) return;
    for (const name of ["asked", "extras", "pictures", "actions", "asked-after"]) {
      const found = part(fresh, name);
      if (found) part(this, name)?.replaceWith(document.importNode(found, true));
    }
    this.#reply().sumUp(fresh);
  }

  #showPlain(message) {
    part(this, "text").textContent = message.content;
    this.refresh();
  }

  #showSoFar(message) {
    part(this, "thinking").hidden = !message.reasoning;
    this.#growingReasoning().set(message.reasoning);
    this.#reply().show(message);
    if (this.#reply().isToSumUp) this.refresh();
    this.setAttribute("aria-busy", String(!this.#reply().isWhole));
  }

  #showFinished(message) {
    this.#countdown?.stop();
    this.#growingReasoning().set(message.reasoning);
    this.#growingReasoning().flush();
    part(this, "thinking").hidden = !message.reasoning;
    this.#reply().finish(message.html);
    this.setAttribute("aria-busy", "false");
    this.refresh();
  }

  #reply() {
    this.#text ??= new ReplyText(part(this, "text"));
    return this.#text;
  }

  #growingReasoning() {
    this.#reasoning ??= new GrowingText(part(this, "reasoning"));
    return this.#reasoning;
  }
}
