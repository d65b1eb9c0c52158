import { ask } from "../asking.js";
import { words } from "../localise.js";
import { suits } from "./taken.js";

const PATIENCE = 60_000; // milliseconds, after which nothing is asked that the person may have forgotten

/** The person asked for a page: by shortcut, button or menu. One after the other, so that each is asked what it asks. */
export class Wishes {
  #chips;
  #composer;
  #notices;
  #leave;
  #post;
  #me = crypto.randomUUID();
  #seen = 0; // when the wish that was followed last was made
  #followed = Promise.resolve();

  /** `leave()` ends the conversation that is shown, `post(asked)` sends what a wish asks at once. */
  constructor({ chips, composer, notices, leave, post }) {
    this.#chips = chips;
    this.#composer = composer;
    this.#notices = notices;
    this.#leave = leave;
    this.#post = post;
  }

  /** Null is no wish; one that was followed already is told again whenever the worker starts. */
  follow(wish) {
    if (!wish || wish.at <= this.#seen) return;
    this.#seen = wish.at;
    this.#followed = this.#followed
      .then(() => this.#followNow(wish))
      .catch((problem) => this.#notices.show("page", problem));
  }

  async #followNow(wish) {
    if (this.#chips.tab !== null && this.#chips.tab !== wish.tab) this.#leave();
    this.#composer.choose(wish.tool);
    this.#composer.focus();
    if (wish.isAsked && Date.now() - wish.at < PATIENCE) await this.#composer.hold(() => this.#askAtOnce(wish));
    else await this.#chips.take(wish);
  }

  /** By one panel, and once, whoever was told of the wish. What was typed already stays where it is. */
  async #askAtOnce(wish) {
    const context = await this.#chips.take(wish);
    if (!(await ask("claim", { wish: wish.id, panel: this.#me }))) return this.#composer.choose("");
    if (!context) return;
    if (!suits(context, wish.kinds)) {
      this.#notices.show("page", { code: "page.unsuitable", message: words("nothing_for_tool") });
      return;
    }
    await this.#post({ client_id: wish.id, text: "", tool: wish.tool, context });
    this.#composer.choose("");
  }
}
