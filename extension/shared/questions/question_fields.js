/**
 * The native fields of one question, kept the same as an `Answering`. Inputs have `data-choice` (an index or
 * "other"), the own answer is the textarea with `data-part="other"`.
 */
export class QuestionFields {
  #answering;

  constructor(root, answering) {
    this.root = root;
    this.id = root.dataset.question;
    this.#answering = answering;
  }

  show() {
    const { options, other, otherChecked } = this.#answering.entry(this.id);
    for (const input of this.#inputs) {
      const { choice } = input.dataset;
      input.checked = choice === "other" ? otherChecked : options.has(Number(choice));
    }
    if (this.text.value !== other) this.text.value = other;
    if (this.#clear) this.#clear.hidden = !options.size && !otherChecked;
  }

  /** Take over what was changed in the page. */
  take(target) {
    const { choice } = target.dataset;
    if (target === this.text) this.#answering.type(this.id, target.value);
    else if (choice) this.#answering.choose(this.id, choice, target.checked);
    this.show();
  }

  /** The option of a digit, counted from 0. It gets the focus, so that it is read out. */
  toggle(index) {
    if (!this.#answering.toggle(this.id, index)) return false;
    this.show();
    this.#inputs[index].focus();
    return true;
  }

  move(from, by) {
    const all = [...this.root.querySelectorAll("[data-choice], [data-suggestion]")];
    all[(all.indexOf(from) + by + all.length) % all.length].focus();
  }

  clear() {
    this.#answering.clear(this.id);
    this.show();
    this.focus();
  }

  focus() {
    const checked = this.#inputs.find((input) => input.checked);
    (checked ?? this.#inputs[0] ?? this.root.querySelector("[data-suggestion]") ?? this.text).focus();
  }

  get text() {
    return this.root.querySelector('[data-part="other"]');
  }

  get #inputs() {
    return [...this.root.querySelectorAll("[data-choice]")];
  }

  get #clear() {
    return this.root.querySelector('[data-part="clear"]');
  }
}
