/**
 * What a person has chosen and typed in a question set so far. No page, no network: the wizard, the cards and the
 * extension share it. Choosing never erases text; only what is checked is sent, the rest stays in the draft.
 */
export class Answering {
  #set;
  #entries = new Map();
  comment = "";
  step = 0;
  images = [];
  remember = false;

  constructor(set) {
    this.#set = set;
    this.restore(set.draft);
  }

  get questions() {
    return this.#set.questions;
  }

  get isFollowup() {
    return this.#set.source === "xml";
  }

  /** { options: Set of indexes, other: text, otherChecked } of a question. */
  entry(id) {
    return this.#entries.get(id);
  }

  /** Take over a draft, and forget what was here. Null is an empty one. */
  restore(draft) {
    this.comment = draft?.comment ?? "";
    this.step = Math.min(Math.max(draft?.step ?? 0, 0), this.questions.length);
    for (const { id } of this.questions) this.#entries.set(id, entryOf(draft?.answers?.[id]));
  }

  /** `choice` is an option's index, or "other". With radios, one that is checked unchecks the others. */
  choose(id, choice, checked) {
    const entry = this.entry(id);
    if (checked && !this.#question(id).multi_select) this.clear(id);
    if (choice === "other") entry.otherChecked = checked;
    else if (checked) entry.options.add(Number(choice));
    else entry.options.delete(Number(choice));
  }

  /** The choice behind a digit, from 0; the one after the last option is Other. False where there is none. */
  toggle(id, index) {
    const { length } = this.#question(id).options;
    if (index > length || this.isFollowup) return false;
    const entry = this.entry(id);
    if (index === length) this.choose(id, "other", !entry.otherChecked);
    else this.choose(id, index, !entry.options.has(index));
    return true;
  }

  /** Whoever types an own answer means it. */
  type(id, text) {
    const entry = this.entry(id);
    entry.other = text;
    if (text.trim() && !entry.otherChecked) this.choose(id, "other", true);
  }

  clear(id) {
    this.entry(id).options.clear();
    this.entry(id).otherChecked = false;
  }

  /** The checked values of a question, as a person reads them. */
  values(id) {
    const { options } = this.#question(id);
    const { options: chosen, other, otherChecked } = this.entry(id);
    const labels = [...chosen].sort((a, b) => a - b).map((index) => labelOf(options[index]));
    return otherChecked && other.trim() ? [...labels, other.trim()] : labels;
  }

  draft() {
    const answers = {};
    for (const [id, { options, other, otherChecked }] of this.#entries) {
      answers[id] = { options: [...options], other, other_checked: otherChecked };
    }
    return { answers, comment: this.comment, step: this.step };
  }

  /** What is sent: only what is checked, and only questions that have an answer. */
  body() {
    const answers = {};
    for (const [id, { options, other, otherChecked }] of this.#entries) {
      const typed = otherChecked && other.trim() ? other : null;
      if (options.size || typed) answers[id] = { options: [...options].sort((a, b) => a - b), other: typed };
    }
    const body = { answers, comment: this.comment.trim(), images: this.images };
    return this.remember ? { ...body, remember: true } : body;
  }

  /** What must be mended before it can be sent: { code: "other_blank", id } or { code: "nothing" }. */
  fault() {
    const blank = ({ other, otherChecked }) => otherChecked && !other.trim() && !this.isFollowup;
    const id = this.questions.map((question) => question.id).find((each) => blank(this.entry(each)));
    if (id) return { code: "other_blank", id };
    const { answers, comment, images } = this.body();
    return Object.keys(answers).length || comment || images.length ? null : { code: "nothing" };
  }

  get hasTyped() {
    return Boolean(this.comment.trim()) || [...this.#entries.values()].some(({ other }) => other.trim());
  }

  /** Everything chosen and typed as one text, for when it can't be sent as an answer any more. */
  asText() {
    const said = this.questions.map(({ id, header }) => [header, this.#all(id)]).filter(([, text]) => text);
    const lines = said.length > 1 ? said.map(([header, text]) => `${header}: ${text}`) : said.map(([, text]) => text);
    return [...lines, this.comment.trim()].filter(Boolean).join("\n");
  }

  #all(id) {
    const { other, otherChecked } = this.entry(id);
    return [...this.values(id), otherChecked ? "" : other.trim()].filter(Boolean).join(", ");
  }

  #question(id) {
    return this.questions.find((question) => question.id === id);
  }
}

/** What is shown of a label: that it is recommended is a badge. */
export function labelOf({ label, recommended }) {
  return recommended ? label.trim().replace(/\s*\(recommended\)$/i, "") : label;
}

function entryOf(kept) {
  const other = (kept?.other ?? "").replaceAll("\r\n", "\n");
  return { options: new Set(kept?.options), other, otherChecked: kept?.other_checked ?? Boolean(other) };
}
