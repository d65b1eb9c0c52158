import { page } from "askweb/api.js";
import { part, word } from "askweb/page.js";

/** Says who ended a question set and how, and keeps what was typed and not sent where it can be copied. */
export class Outcome {
  #root;

  constructor(root, signal) {
    this.#root = root;
    const on = (name, act) => part(root, name).addEventListener("click", act, { signal });
    on("close-outcome", () => this.close());
    on("copy-typed", () => this.#copy());
    on("send-typed", () => this.#send());
  }

  async show(set, typed) {
    part(this.#root, "outcome-title").textContent = word(`question_ended_${set.status}`);
    part(this.#root, "outcome-summary").replaceChildren();
    part(this.#root, "outcome-typed").hidden = !typed;
    part(this.#root, "typed").value = typed;
    this.#root.hidden = false;
    const found = await page(`/questions/${set.id}/summary/`).catch(() => null);
    const summary = found && part(found, "summary");
    if (!summary) return;
    summary.querySelector("button")?.remove();
    part(this.#root, "outcome-summary").replaceChildren(document.importNode(summary, true));
  }

  close() {
    this.#root.hidden = true;
  }

  /** Copying needs a secure origin; what is selected can be copied anywhere. */
  async #copy() {
    const area = part(this.#root, "typed");
    area.select();
    await navigator.clipboard?.writeText(area.value).catch(() => null);
    part(this.#root, "copy-typed").textContent = word("copied");
  }

  #send() {
    const detail = { text: part(this.#root, "typed").value, sends: true };
    document.dispatchEvent(new CustomEvent("askweb:compose", { detail }));
    this.close();
  }
}
