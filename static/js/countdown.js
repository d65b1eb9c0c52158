import { announce, part, word } from "askweb/page.js";

/** Tells, in a reply, that the provider is tried again, and in how many seconds. */
export class Countdown {
  #element;
  #timer = 0;

  constructor(element) {
    this.#element = element;
  }

  start({ seconds, attempt, of, error }) {
    this.stop();
    const due = Date.now() + seconds * 1000;
    const show = () => {
      const left = Math.max(0, Math.ceil((due - Date.now()) / 1000));
      const text = left ? word("retrying") : word("retrying_now");
      part(this.#element, "wait").textContent = text
        .replace("{seconds}", left)
        .replace("{attempt}", attempt)
        .replace("{of}", of);
      if (!left) clearInterval(this.#timer);
    };
    part(this.#element, "why").textContent = error ?? "";
    this.#element.hidden = false;
    this.#timer = setInterval(show, 250);
    show();
    announce(part(this.#element, "wait").textContent);
  }

  stop() {
    clearInterval(this.#timer);
    this.#element.hidden = true;
  }
}
