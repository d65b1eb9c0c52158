import { post } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { newId } from "askweb/ids.js";
import { isLive, tellProblem } from "askweb/live.js";

/** A form that has an answer written again or to its end, or another branch shown: without a reload. */
export class Again extends Controller {
  #isBusy = false;

  connect() {
    this.on(this.element, "submit", (event) => this.#submit(event));
  }

  async #submit(event) {
    if (!isLive()) return;
    event.preventDefault();
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.element.closest("dialog")?.close();
    try {
      await post(`/api${this.#path}`, { meta: this.#meta() });
      this.#tell();
    } catch (problem) {
      tellProblem(problem);
    } finally {
      this.#isBusy = false;
    }
  }

  #tell() {
    const [, , detail, act] = this.#path.split("/");
    document.dispatchEvent(new CustomEvent(act === "show" ? "askweb:branched" : "askweb:sent", { detail }));
  }

  #meta() {
    const { tool, model } = this.element.elements;
    const [provider, ...name] = (model?.value ?? "").split("/");
    return {
      client_id: newId(),
      surface: "control_ui",
      tool: tool?.value || null,
      provider: provider || null,
      model: name.join("/") || null,
    };
  }

  get #path() {
    return new URL(this.element.action).pathname;
  }
}
