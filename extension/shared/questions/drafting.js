const PAUSE = 400; // milliseconds without a key

/**
 * Keeps a draft on the server as it is made, and takes over what other tabs made of it. `save(draft)` resolves to
 * { revision }, or rejects with a problem whose `data.draft` is a newer draft. `take(draft)` shows one from elsewhere.
 * While `isEnding()`, an answer is on its way, and nothing is saved.
 */
export class Drafting {
  #read;
  #save;
  #take;
  #isEnding;
  #revision;
  #changes = 0; // since the last one that the server has
  #timer = 0;
  #isSaving = false;
  #newer = null;

  constructor({ read, save, take, isEnding, revision = 0 }) {
    this.#read = read;
    this.#save = save;
    this.#take = take;
    this.#isEnding = isEnding;
    this.#revision = revision;
  }

  changed() {
    this.#changes += 1;
    this.#later();
  }

  /** A draft that the server has told. This tab's own ones come back, too. */
  seen(draft) {
    if (!draft || draft.revision <= this.#revision) return;
    if (this.#isSaving) this.#newer = draft;
    else this.#adopt(draft);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#save = null;
  }

  async flush() {
    clearTimeout(this.#timer);
    if (!this.#save || this.#isSaving || !this.#changes) return;
    if (this.#isEnding()) return this.#later();
    const changes = this.#changes;
    this.#isSaving = true;
    try {
      const { revision } = await this.#save({ ...this.#read(), revision: this.#revision });
      this.#changes -= changes;
      this.#revision = Math.max(this.#revision, revision);
    } catch (problem) {
      this.#refused(problem, changes);
    } finally {
      this.#isSaving = false;
      this.#goOn();
    }
  }

  /** Where something was typed since, this tab's words win: they go out again, now as the newer ones. */
  #refused({ data }, changes) {
    if (!data?.draft) return;
    if (this.#changes === changes) this.#changes = 0;
    this.#adopt(data.draft);
  }

  #goOn() {
    const newer = this.#newer;
    this.#newer = null;
    this.seen(newer);
    if (this.#changes) this.#later();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE);
  }

  #adopt(draft) {
    this.#revision = draft.revision;
    if (!this.#changes) this.#take(draft);
  }
}
