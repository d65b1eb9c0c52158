import { post } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { grow } from "askweb/draft.js";
import { newId } from "askweb/ids.js";
import { DRAFTS, keep, kept } from "askweb/kept.js";
import { isLive } from "askweb/live.js";
import { part } from "askweb/page.js";
import { isComposing } from "askweb/questions/composing.js";

/** A message's words in a form inside the message. What is typed is kept until it is asked or cancelled. */
export class Editing extends Controller {
  #isBusy = false;
  #id = null; // only the same words twice are a double click

  connect() {
    this.#text.value = draftOf(this.#message) ?? this.#text.value;
    grow(this.#text);
    this.on(this.#text, "input", () => this.#keep());
    this.on(this.element, "keydown", (event) => this.#key(event));
    this.on(this.element, "submit", (event) => this.#submit(event));
    this.on(part(this.element, "cancel"), "click", (event) => this.#cancel(event));
  }

  #keep() {
    this.#id = null;
    grow(this.#text);
    keep(keyOf(this.#message), this.#text.value);
  }

  #key(event) {
    if (isComposing(event)) return;
    if (event.key === "Escape") return this.#cancel(event);
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.element.requestSubmit();
  }

  #cancel(event) {
    event.preventDefault();
    event.stopPropagation();
    const link = this.element.closest("chat-message").querySelector('[data-controller="edit"]');
    this.#close();
    link.focus();
  }

  async #submit(event) {
    if (!isLive()) return keep(keyOf(this.#message), "");
    event.preventDefault();
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#id ??= newId();
    const meta = { client_id: this.#id, surface: "control_ui" };
    try {
      await post(`/api/messages/${this.#message}/edit/`, { content: this.#text.value, meta });
      this.#close();
      document.dispatchEvent(new CustomEvent("askweb:sent"));
      document.getElementById("composer-text").focus();
    } catch (problem) {
      this.#say(problem.message);
    } finally {
      this.#isBusy = false;
    }
  }

  #close() {
    keep(keyOf(this.#message), "");
    this.element.remove();
  }

  #say(words) {
    const notice = document.createElement("p");
    notice.className = "notice notice--error";
    notice.textContent = words;
    part(this.element, "edit-problem").replaceChildren(notice);
  }

  get #message() {
    return this.element.dataset.message;
  }

  get #text() {
    return this.element.elements.text;
  }
}

/** What was typed for this message and not asked, or null. */
export function draftOf(message) {
  return kept(keyOf(message));
}

function keyOf(message) {
  return `${DRAFTS}edit.${message}`;
}
