/** Minutes and seconds, as a clock shows them. */
export function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Counts down to a deadline, which may move. Calls `show(seconds)` once a second, and `end()` at zero. */
export class TimeLeft {
  #due = 0;
  #timer = 0;
  #show;
  #end;

  constructor(show, end) {
    this.#show = show;
    this.#end = end;
  }

  /** `seconds` are the server's: the clocks of two machines are never compared. */
  set(seconds) {
    this.#due = Date.now() + seconds * 1000;
    this.stop();
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#show(seconds);
  }

  stop() {
    clearInterval(this.#timer);
  }

  #tick() {
    const seconds = Math.max(0, Math.round((this.#due - Date.now()) / 1000));
    this.#show(seconds);
    if (seconds > 0) return;
    this.stop();
    this.#end();
  }
}
