import { part, word } from "askweb/page.js";
import { Answering } from "askweb/questions/answering.js";
import { Drafting } from "askweb/questions/drafting.js";
import { ImagePicker } from "askweb/questions/image_picker.js";
import { QuestionFields } from "askweb/questions/question_fields.js";
import { Steps } from "askweb/questions/steps.js";
import { Submission } from "askweb/questions/submission.js";

/** What a person does with the questions of a panel, whatever key or button asks for it. */
export class Wizard {
  #root;
  #changes;

  constructor(root, { set, transport, changes }) {
    this.#root = root;
    this.#changes = changes; // an answer that was given is changed: that is no draft, and has no deadline
    this.answering = new Answering(set);
    const questions = [...root.querySelectorAll('[data-part="question"]')];
    this.fields = questions.map((question) => new QuestionFields(question, this.answering));
    this.steps = new Steps(root, this.answering, this.fields);
    this.submission = new Submission(root, this.answering, transport);
    const say = (text) => this.submission.say(text);
    this.images = new ImagePicker(root, { answering: this.answering, transport, say });
    this.drafting = new Drafting({
      read: () => this.answering.draft(),
      save: (draft) => transport.draft(draft),
      take: (draft) => this.#show(draft),
      isEnding: () => this.submission.isBusy,
      revision: set.draft?.revision,
    });
    this.steps.show();
  }

  /** Do something that belongs into the draft. */
  edit(act) {
    act();
    if (!this.#changes) this.drafting.changed();
  }

  goTo(step) {
    this.submission.say("");
    this.edit(() => this.steps.goTo(step));
  }

  goBy(count) {
    this.goTo(this.answering.step + count);
  }

  submit() {
    const fault = this.answering.fault();
    if (!fault) return this.#send();
    if (fault.id && this.fields.length > 1) this.steps.goToQuestion(fault.id);
    this.submission.say(word(`question_${fault.code}`));
  }

  advance() {
    if (this.steps.isLast) this.submit();
    else this.goBy(1);
  }

  /** What is typed stays: it isn't the answer, but should this fail, it may become it. */
  async suggest(index) {
    const before = this.answering.draft();
    this.answering.choose(this.answering.questions[0].id, index, true);
    await this.#send();
    this.answering.restore(before);
  }

  /** Take over what was typed or chosen in a field of the page. */
  take(target) {
    if (target === part(this.#root, "comment")) this.answering.comment = target.value;
    else if (target === part(this.#root, "remember")) this.answering.remember = target.checked;
    else this.steps.field?.take(target);
  }

  #send() {
    return this.submission.submit(this.#changes ? "change" : "answer");
  }

  /** A draft of another tab. The step stays where the person is at work in this one. */
  #show(draft) {
    const { step } = this.answering;
    this.answering.restore(draft);
    const isHere = document.hasFocus() && this.#root.contains(document.activeElement);
    if (isHere) this.answering.step = step;
    const comment = part(this.#root, "comment");
    if (comment.value !== this.answering.comment) comment.value = this.answering.comment;
    this.steps.show();
  }
}
