import { keep, kept } from "./kept.js";
import { problemOf } from "./problem.js";
import { call, paired } from "./server.js";

const SIGNED_OUT = 4401;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const QUIET = 30_000; // milliseconds: heartbeats come every 12 s

/** The one socket, open as long as anyone listens. `tell(what)` is told { status }, { problem } and { frame }. */
export class Socket {
  #tell;
  #socket = null;
  #isWanted = false;
  #tries = 0;
  #timer = 0;
  #attempt = null; // at connecting: of several, the newest counts
  #pulse = 0;

  constructor(tell) {
    this.#tell = tell;
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  open() {
    this.#isWanted = true;
    if (!this.#socket && !this.#timer && !this.#attempt) this.#connect();
  }

  close() {
    this.#isWanted = false;
    this.#end();
  }

  /** Come again now: the person waits, or has paired. */
  hurry() {
    if (!this.#isWanted || this.isOpen) return;
    this.#end();
    this.#tries = 0;
    this.#connect();
  }

  send(meta) {
    if (this.isOpen) this.#socket.send(JSON.stringify({ meta }));
  }

  async #connect() {
    const attempt = Symbol("attempt");
    this.#attempt = attempt;
    this.#timer = 0;
    const { address, problem } = await addressOfSocket().catch((thrown) => ({ problem: problemOf(thrown) }));
    if (attempt !== this.#attempt) return; // closed meanwhile, or begun anew with another server
    this.#attempt = null;
    if (address) return this.#begin(address);
    this.#tell({ problem: problem.toJSON() });
    if (problem.code !== "unpaired" && problem.code !== "revoked") this.#later();
  }

  #begin(address) {
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#tell({ status: "open" });
      this.#feel();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code }) => socket === this.#socket && this.#lost(code);
  }

  #take(data) {
    this.#feel();
    const { meta, messages = [], delta = {} } = JSON.parse(data);
    this.#tell({ frame: { meta, messages, delta, size: data.length } });
  }

  /** A connection can be dead without a word. */
  #feel() {
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => this.#lost(), QUIET);
  }

  async #lost(code = 0) {
    this.#end();
    this.#tell({ status: "closed" });
    if (code === SIGNED_OUT) await this.#revoke();
    this.#later();
  }

  /** The next ticket that is asked for would tell the same, later. */
  async #revoke() {
    const pairing = await kept("pairing");
    if (pairing) await keep("pairing", { ...pairing, revoked: true });
  }

  /** With jitter, so that a thousand clients don't all come back in the same moment. */
  #later() {
    if (!this.#isWanted) return;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++) * (0.5 + Math.random());
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #end() {
    clearTimeout(this.#timer);
    clearTimeout(this.#pulse);
    this.#timer = 0;
    this.#attempt = null;
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
  }
}

async function addressOfSocket() {
  const { server } = await paired();
  const { ticket } = await call("POST", "/api/socket-tickets/", {});
  return { address: new URL(`/ws/?ticket=${ticket}`, server.replace(/^http/, "ws")) };
}
