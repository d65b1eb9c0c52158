import { post } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { FaultList } from "askweb/faults.js";
import { part, word } from "askweb/page.js";

const PAUSE = 300; // milliseconds without a key

/**
 * Line numbers and errors for a textarea. Behind it stands its text once more, line by line: it wraps as the
 * textarea does, so each number is beside its line, and the box is as high as the text.
 */
export class TemplateEditor extends Controller {
  #faults = null;
  #timer = 0;
  #asked = 0;
  #isSent = false;

  connect() {
    this.#faults = new FaultList(this.element, (line, column) => this.#goTo(line, column));
    this.on(this.#text, "input", () => this.#change());
    this.on(part(this.element, "faults"), "click", (event) => this.#faults.follow(event));
    this.on(window, "beforeunload", (event) => this.#hold(event));
    this.on(this.#text.form, "submit", () => (this.#isSent = true));
    this.signal.addEventListener("abort", () => clearTimeout(this.#timer));
    this.element.classList.add("code-box--numbered");
    this.#draw();
  }

  #change() {
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), PAUSE);
  }

  /** Words that were typed and not saved are not left without a question. */
  #hold(event) {
    if (!this.#isSent && this.#text.value !== this.#text.defaultValue) event.preventDefault();
  }

  async #check() {
    const asked = ++this.#asked;
    const body = { template: this.#text.value };
    if (this.element.dataset.owner === "shared") body.owner = "shared";
    try {
      const verdict = await post("/api/tools/check/", body);
      if (asked === this.#asked) this.#show(verdict);
    } catch (problem) {
      if (asked === this.#asked) part(this.element, "verdict").textContent = problem.message;
    }
  }

  #show(verdict) {
    this.#faults.show(verdict);
    const { length } = verdict.errors;
    const told = length === 1 ? word("one_error") : word("errors").replace("{count}", length);
    part(this.element, "verdict").textContent = length ? told : word("no_errors");
    this.#draw();
  }

  #draw() {
    const lines = this.#text.value.split("\n");
    const shown = part(this.element, "lines");
    while (shown.childElementCount > lines.length) shown.lastElementChild.remove();
    while (shown.childElementCount < lines.length) shown.append(document.createElement("div"));
    const faulty = this.#faults.lines;
    [...shown.children].forEach((line, at) => {
      if (line.textContent !== lines[at]) line.textContent = lines[at];
      line.classList.toggle("code-box__line--faulty", faulty.has(at + 1));
    });
  }

  /** Columns count characters, the textarea counts UTF-16 units. */
  #goTo(line, column) {
    const lines = this.#text.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const within = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.#text.focus({ preventScroll: true });
    this.#text.setSelectionRange(before + within, before + within);
    part(this.element, "lines").children[line - 1]?.scrollIntoView({ block: "nearest" });
  }

  get #text() {
    return part(this.element, "text");
  }
}
