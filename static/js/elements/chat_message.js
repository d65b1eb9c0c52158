import { page } from "askweb/api.js";
import { Countdown } from "askweb/countdown.js";
import { GrowingText } from "askweb/growing_text.js";
import { nodesOf, part } from "askweb/page.js";

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
    if (content) this.#growing().add(content);
    if (reasoning) {
      part(this, "thinking").hidden = false;
      this.#growingReasoning().add(reasoning);
    }
  }

  /** Chips, outcome and links are made by the server. Without them the message can still be read. */
  async refresh() {
    try {
      const fresh = (await page(`/messages/${this.dataset.id}/`)).querySelector("chat-message");
      for (const name of ["asked", "extras", "asked-after"]) {
        const found = fresh && part(fresh, name);
        if (found) part(this, name)?.replaceWith(document.importNode(found, true));
      }
    } catch {
      return;
    }
  }

  #showPlain(message) {
    part(this, "text").textContent = message.content;
    this.refresh();
  }

  #showSoFar(message) {
    this.setAttribute("aria-busy", "true");
    part(this, "text").className = "message__text plain";
    part(this, "thinking").hidden = !message.reasoning;
    this.#growing().set(message.content);
    this.#growingReasoning().set(message.reasoning);
    this.#growing().flush();
  }

  #showFinished(message) {
    this.#countdown?.stop();
    this.#growing().set("");
    this.#growingReasoning().set(message.reasoning);
    this.#growingReasoning().flush();
    part(this, "thinking").hidden = !message.reasoning;
    const text = part(this, "text");
    text.className = "message__text prose";
    text.replaceChildren(nodesOf(message.html));
    this.setAttribute("aria-busy", "false");
    this.refresh();
  }

  #growing() {
    this.#text ??= new GrowingText(part(this, "text"));
    return this.#text;
  }

  #growingReasoning() {
    this.#reasoning ??= new GrowingText(part(this, "reasoning"));
    return this.#reasoning;
  }
}
