import { page } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";

const EVERY = 2000;

/** A piece of the page that is fetched anew until the server says that it is complete: no controller any more. */
export class Reloaded extends Controller {
  connect() {
    const timer = setTimeout(() => this.#reload(), EVERY);
    this.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  async #reload() {
    const { id } = this.element;
    const found = (await page(location.href).catch(() => null))?.getElementById(id);
    if (found && this.element.isConnected) this.element.replaceWith(document.importNode(found, true));
  }
}
