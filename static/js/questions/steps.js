import { announce, copyOf, part, word } from "askweb/page.js";

/** One question at a time, and a review at the end when there are several. */
export class Steps {
  #root;
  #answering;
  #fields;

  constructor(root, answering, fields) {
    this.#root = root;
    this.#answering = answering;
    this.#fields = fields;
  }

  /** The fields of the question that is shown; undefined in the review. */
  get field() {
    return this.#fields[this.#step];
  }

  get isLast() {
    return this.#fields.length === 1 || !this.field;
  }

  goTo(step) {
    this.#answering.step = Math.min(Math.max(step, 0), this.#fields.length);
    this.show();
    this.focus();
    announce(this.#announced());
  }

  focus() {
    if (this.field) this.field.focus();
    else part(this.#root, "review-title").focus();
  }

  by(count) {
    this.goTo(this.#step + count);
  }

  goToQuestion(id) {
    this.goTo(this.#fields.findIndex((field) => field.id === id));
  }

  show() {
    for (const field of this.#fields) {
      field.show();
      field.root.hidden = field !== this.field;
    }
    part(this.#root, "submit").hidden = !this.isLast;
    part(this.#root, "header").textContent = this.#header;
    if (this.#fields.length > 1) this.#showPlace();
  }

  #showPlace() {
    part(this.#root, "next").hidden = this.isLast;
    part(this.#root, "back").disabled = this.#step === 0;
    part(this.#root, "review").hidden = !this.isLast;
    part(this.#root, "position").textContent = `${this.#number}/${this.#fields.length}`;
    if (this.isLast) this.#review();
    for (const button of this.#root.querySelectorAll("[data-step]")) this.#mark(button);
  }

  #mark(button) {
    const { step } = button.dataset;
    const question = this.#answering.questions[step];
    button.toggleAttribute("data-answered", Boolean(question && this.#answering.values(question.id).length));
    if (Number(step) === this.#step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }

  #review() {
    const lines = this.#answering.questions.map(({ id, header }) => {
      const line = copyOf(part(this.#root, "review-line"));
      const values = this.#answering.values(id);
      part(line, "line-header").textContent = header;
      part(line, "line-said").textContent = values.join(", ") || word("question_unanswered");
      line.toggleAttribute("data-open", !values.length);
      return line;
    });
    part(this.#root, "review-lines").replaceChildren(...lines);
  }

  #announced() {
    const { length } = this.#fields;
    if (!this.field) return word("question_review");
    const filled = word("question_step").replace("{step}", this.#number).replace("{count}", length);
    return filled.replace("{header}", this.#header);
  }

  get #header() {
    return this.#answering.questions[this.#step]?.header ?? word("question_review");
  }

  get #number() {
    return Math.min(this.#step + 1, this.#fields.length);
  }

  /** A single question has no review, whatever an old draft says. */
  get #step() {
    return this.#fields.length === 1 ? 0 : this.#answering.step;
  }
}
