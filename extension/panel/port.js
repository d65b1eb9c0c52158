const AGAIN = 300; // milliseconds

/**
 * The worker's socket, as this page sees it. Dispatches "open", "frame" and "told" (what else the worker tells), and
 * "awake" whenever there is a worker again: whatever it was told before, it may have forgotten.
 */
export class Port extends EventTarget {
  #port = null;
  isOpen = false;

  connect() {
    this.#port = chrome.runtime.connect({ name: "panel" });
    this.#port.onMessage.addListener((told) => this.#take(told));
    this.#port.onDisconnect.addListener(() => this.#lost());
    this.dispatchEvent(new Event("awake"));
  }

  command(command, more = {}) {
    try {
      this.#port.postMessage({ command, ...more });
    } catch {
      return; // it is on its way back, and everything is asked anew then
    }
  }

  #take(told) {
    if (told.frame) return this.#tell("frame", told.frame);
    if (told.status) this.isOpen = told.status === "open";
    this.#tell("told", told);
    if (told.status === "open") this.dispatchEvent(new Event("open"));
  }

  /** The worker died, as Chrome lets it do at any moment. */
  #lost() {
    this.isOpen = false;
    this.#tell("told", { status: "closed" });
    setTimeout(() => this.connect(), AGAIN * (0.5 + Math.random()));
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
