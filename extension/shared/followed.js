const ACK_EVERY = 32 * 1024; // characters; the server stops at 256 KiB without an ack
const PATIENCE = 10_000;

/**
 * One conversation on the socket, followed by the six rules of docs/protocol.md. Dispatches "snapshot",
 * "delta", "block", "event" (in order, without gaps) and "gone", each with the frame as its detail.
 */
export class Followed extends EventTarget {
  #socket;
  #id;
  #asked = 0;
  #ended = null; // a late delta of a run that is over is not the beginning of another
  #place = { revision: 0, active_run: null, epoch: 0, seq: 0 };
  #head = null;
  #unacked = 0;

  constructor(socket, id, signal) {
    super();
    this.#socket = socket;
    this.#id = id;
    socket.addEventListener("open", () => this.subscribe(), { signal });
    socket.addEventListener("frame", ({ detail }) => this.#take(detail), { signal });
    if (socket.isOpen) this.subscribe();
  }

  get activeRun() {
    return this.#place.active_run;
  }

  /** Ask for a snapshot. Until it comes, whatever else comes is older than it, or in it. */
  subscribe() {
    this.#asked = Date.now();
    this.#socket.command("subscribe", { conversation: this.#id });
  }

  #take(frame) {
    const { meta } = frame;
    if (meta.conversation !== this.#id) return;
    if (meta.event === "conversation.snapshot") return this.#begin(frame);
    if (meta.code === "not_found") return this.#tell("gone", frame);
    if (meta.code === "socket.behind") return this.subscribe();
    if (meta.event.startsWith("conversation.")) return this.#compareHead(meta);
    if (this.#asked) return this.#wait();
    if (meta.event === "reply.delta") this.#add(frame);
    else if (meta.event === "reply.block") this.#addBlock(frame);
    else if (meta.event === "heartbeat") this.#compare(meta);
    else if (meta.event === "question.preview")
      this.#tell("event", frame); // gone with the next snapshot
    else if (meta.revision) this.#happen(frame);
  }

  #wait() {
    if (Date.now() - this.#asked > PATIENCE) this.subscribe();
  }

  #begin(frame) {
    const { revision, active_run, epoch, seq } = frame.meta;
    this.#asked = 0;
    this.#place = { revision, active_run, epoch, seq };
    this.#head = frame.meta.head;
    this.#tell("snapshot", frame);
    this.#ack();
  }

  #add(frame) {
    const { run, epoch, seq } = frame.meta;
    const here = this.#place;
    this.#unacked += frame.size;
    if (run !== here.active_run) return run === this.#ended ? undefined : this.subscribe();
    const isNext = epoch === here.epoch ? seq === here.seq + 1 : epoch > here.epoch && seq === 1;
    if (isNext) {
      Object.assign(here, { epoch, seq });
      this.#tell("delta", frame);
    } else if (epoch > here.epoch || (epoch === here.epoch && seq > here.seq)) {
      return this.subscribe();
    }
    if (this.#unacked > ACK_EVERY) this.#ack();
  }

  /** A hint only: whoever misses it shows the text. */
  #addBlock(frame) {
    const { run, epoch } = frame.meta;
    this.#unacked += frame.size;
    if (run === this.#place.active_run && epoch === this.#place.epoch) this.#tell("block", frame);
    if (this.#unacked > ACK_EVERY) this.#ack();
  }

  #happen(frame) {
    const { meta } = frame;
    const here = this.#place;
    if (meta.revision <= here.revision) return;
    if (meta.revision > here.revision + 1) return this.subscribe();
    here.revision = meta.revision;
    if (meta.event === "message.created") this.#head = frame.messages.at(-1)?.id ?? this.#head;
    if (meta.event.startsWith("run.")) this.#moveTo(meta);
    this.#tell("event", frame);
  }

  #moveTo({ event, run, epoch, seq }) {
    const here = this.#place;
    if (isFinal(event)) {
      this.#ended = run;
      Object.assign(here, { active_run: null, epoch: 0, seq: 0 });
      return;
    }
    if (epoch > here.epoch || here.active_run !== run) Object.assign(here, { active_run: run, epoch, seq });
  }

  /** The feed tells when another branch is shown elsewhere; its other revisions are told here, too. */
  #compareHead({ event, head, revision }) {
    const isMoved = event === "conversation.updated" && head !== this.#head && revision > this.#place.revision;
    if (isMoved && !this.#asked) this.subscribe();
  }

  #compare(meta) {
    const here = this.#place;
    this.#ack(meta);
    if (Object.keys(here).some((key) => here[key] !== meta[key])) this.subscribe();
  }

  #ack({ epoch, seq } = this.#place) {
    this.#unacked = 0;
    this.#socket.command("ack", { conversation: this.#id, epoch, seq });
  }

  #tell(type, frame) {
    this.dispatchEvent(new CustomEvent(type, { detail: frame }));
  }
}

export function isFinal(event) {
  return ["run.completed", "run.stopped", "run.interrupted", "run.failed"].includes(event);
}
