import { word } from "askweb/page.js";
import { socket } from "askweb/socket.js";

const GRACE = 1500; // a short break is nobody's concern

/** Says when the page can't be told what happens, and when it can again. */
export class ConnectionStatus extends HTMLElement {
  #ending = null;
  #timer = 0;

  connectedCallback() {
    this.#ending = new AbortController();
    socket.addEventListener("status", ({ detail }) => this.#show(detail), this.#ending);
  }

  disconnectedCallback() {
    this.#ending.abort();
    clearTimeout(this.#timer);
  }

  #show(status) {
    if (status === "open") {
      clearTimeout(this.#timer);
      this.#timer = 0;
      if (this.textContent) this.textContent = "";
    } else if (!this.#timer) {
      const text = word(status === "forbidden" ? "forbidden_origin" : "reconnecting");
      this.#timer = setTimeout(() => (this.textContent = text), GRACE);
    }
  }
}
