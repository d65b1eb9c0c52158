import { goToSignIn } from "askweb/page.js";

const CLOSED = { signedOut: 4401, forbidden: 4403, restarting: 4012 };
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const QUIET = 20_000; // without a word for so long, ask; for twice as long, connect anew

/**
 * The page's one socket. Dispatches "open", "status" ("open", "closed", "forbidden") and "frame"
 * ({ meta, messages, delta, size in characters }).
 */
class LiveSocket extends EventTarget {
  #socket = null;
  #tries = 0;
  #timer = 0;
  #heard = 0;

  open() {
    this.#connect();
    setInterval(() => this.#checkPulse(), QUIET / 2);
    addEventListener("online", () => this.#hurry());
    addEventListener("pageshow", (event) => event.persisted && this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  command(name, more = {}) {
    if (this.isOpen) this.#socket.send(JSON.stringify({ meta: { command: name, ...more } }));
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(new URL("/ws/", location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => this.dispatchEvent(new Event("open"));
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code }) => socket === this.#socket && this.#lost(code);
  }

  #take(data) {
    this.#heard = Date.now();
    this.#tries = 0;
    this.#tell("open");
    const { meta, messages = [], delta = {} } = JSON.parse(data);
    this.dispatchEvent(new CustomEvent("frame", { detail: { meta, messages, delta, size: data.length } }));
  }

  #lost(code) {
    if (code === CLOSED.signedOut) return goToSignIn();
    if (code === CLOSED.forbidden) return this.#tell("forbidden");
    this.#tell("closed");
    const wait = code === CLOSED.restarting ? FIRST_WAIT : Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++);
    // Jitter, so that a thousand clients don't all come back in the same moment.
    this.#timer = setTimeout(() => this.#connect(), wait * (0.5 + Math.random()));
  }

  #hurry() {
    if (this.#socket.readyState === WebSocket.CLOSED) this.#connect();
    else this.#checkPulse();
  }

  #checkPulse() {
    const quiet = Date.now() - this.#heard;
    if (!this.isOpen || quiet < QUIET) return;
    this.command("ping");
    if (quiet < 2 * QUIET) return;
    const dead = this.#socket;
    dead.onclose = dead.onmessage = null;
    dead.close();
    this.#tell("closed");
    this.#connect();
  }

  #tell(status) {
    this.dispatchEvent(new CustomEvent("status", { detail: status }));
  }
}

export const socket = new LiveSocket();
