import { Controller } from "askweb/controllers.js";
import { part } from "askweb/page.js";
import { want, wants } from "askweb/questions/alerts.js";

/** Whether this browser sounds, or shows a notification, when a question comes. Neither unless it is asked for. */
export class QuestionAlerts extends Controller {
  connect() {
    for (const box of this.element.querySelectorAll("[data-alert]")) {
      box.checked = wants(box.dataset.alert);
      this.on(box, "change", () => this.#change(box));
    }
    this.on(this.element, "keydown", (event) => event.key === "Escape" && this.#close());
    this.on(document, "pointerdown", ({ target }) => {
      if (!this.element.contains(target)) this.element.open = false;
    });
  }

  async #change(box) {
    const isRefused = box.checked && box.dataset.alert === "notification" && !(await mayNotify());
    if (isRefused) box.checked = false;
    part(this.element, "alerts-problem").hidden = !isRefused;
    want(box.dataset.alert, box.checked);
  }

  #close() {
    this.element.open = false;
    this.element.querySelector("summary").focus();
  }
}

async function mayNotify() {
  return (await globalThis.Notification?.requestPermission()) === "granted";
}
