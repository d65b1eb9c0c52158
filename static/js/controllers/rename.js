import { patch } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { tellProblem } from "askweb/live.js";
import { part } from "askweb/page.js";
import { isComposing } from "askweb/questions/composing.js";
import { setTitle } from "askweb/title.js";

/** Changes the conversation's title in its place. */
export class Rename extends Controller {
  connect() {
    this.on(this.element, "toggle", () => this.element.open && this.#begin());
    this.on(this.element, "keydown", (event) => this.#key(event));
    this.on(this.#form, "submit", (event) => this.#submit(event));
    this.on(part(this.element, "cancel"), "click", (event) => this.#cancel(event));
  }

  #begin() {
    this.#field.value = part(document, "page-title").textContent;
    this.#field.focus();
    this.#field.select();
  }

  #key(event) {
    if (isComposing(event)) {
      if (event.key === "Enter") event.preventDefault();
    } else if (event.key === "Escape" && this.element.open) this.#cancel(event);
  }

  #cancel(event) {
    event.preventDefault();
    this.#close();
  }

  async #submit(event) {
    event.preventDefault();
    try {
      const { title } = await patch(`/api/conversations/${this.element.dataset.conversation}/`, {
        title: this.#field.value,
      });
      part(document, "page-title").textContent = title; // of a temporary conversation no feed tells
      setTitle(`${title} · AskWeb`);
      this.#close();
    } catch (problem) {
      tellProblem(problem);
    }
  }

  #close() {
    this.element.open = false;
    this.element.querySelector("summary").focus();
  }

  get #form() {
    return this.element.querySelector("form");
  }

  get #field() {
    return this.#form.elements.title;
  }
}
