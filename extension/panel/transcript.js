import { words } from "../localise.js";
import { Followed, isFinal } from "../shared/followed.js";
import { Message } from "./message.js";
import { announce } from "./page.js";
import { pathTo, place } from "./placing.js";

/**
 * The conversation, kept as the socket tells by the rules of docs/protocol.md. Dispatches "running" with the id of the
 * active run, "pending" with the question set that waits or null, "question" with one that changed, "shown"
 * when messages have changed, "read" when all were told anew, and "gone".
 */
export class Transcript extends EventTarget {
  #port;
  #log;
  #messages = new Map();
  #followed = null;
  #ending = null;
  #chosen = null; // the id of the message whose branch the person wants to see
  conversation = null;

  constructor(port, log) {
    super();
    this.#port = port;
    this.#log = log;
  }

  /** The messages that are shown, oldest first. */
  get messages() {
    return [...this.#messages.values()];
  }

  find(id) {
    return this.#messages.get(id) ?? null;
  }

  /** Show the branch of this message, which the server has made the current one. */
  lookAt(id) {
    this.#chosen = id;
    this.#followed.subscribe();
  }

  /** Whether there are none before them. */
  get isWhole() {
    return !this.messages[0]?.parent;
  }

  /** Null shows none: a conversation that is not begun yet. */
  follow(conversation) {
    if (conversation && conversation === this.conversation) return;
    this.#leave();
    this.conversation = conversation;
    if (!conversation) return;
    this.#ending = new AbortController();
    this.#followed = new Followed(this.#port, conversation, this.#ending.signal);
    const on = (type, act) => this.#followed.addEventListener(type, ({ detail }) => act(detail));
    on("snapshot", (frame) => this.#showAll(frame));
    on("delta", ({ meta, delta }) => this.#append(meta.message, delta));
    on("block", ({ meta }) => this.#addBlock(meta));
    on("event", (frame) => this.#take(frame));
    on("gone", () => this.#tell("gone"));
  }

  #leave() {
    this.#ending?.abort();
    if (this.conversation) this.#port.command("unsubscribe", { conversation: this.conversation });
    this.conversation = null;
    this.#followed = null;
    this.#messages.clear();
    this.#log.replaceChildren();
    this.#tell("running", null);
    this.#tell("pending", null);
    this.#tell("shown");
  }

  /** Put messages above the first one. They may be there already: a snapshot can come between. */
  prepend(messages) {
    const older = messages.filter(({ id }) => !this.find(id)).map((message) => this.#updated(message));
    if (older.at(-1)?.id !== this.messages[0]?.parent) return;
    this.#place([...older, ...this.messages]);
    this.#tell("shown");
    this.#tell("read");
  }

  /** What was shown above the newest stays there, unless another branch is shown now. */
  #showAll({ meta, messages }) {
    const path = pathTo(meta.head, messages);
    const above = path.length ? this.#upTo(path[0].parent) : [];
    this.#place([...above, ...path.map((message) => this.#updated(message))]);
    for (const run of meta.runs ?? []) if (run.error) this.#messages.get(run.reply)?.say(run.error);
    this.#show(this.#messages.get(this.#chosen));
    this.#tell("running", meta.active_run);
    this.#tell("pending", meta.question_set ?? null);
    this.#tell("shown");
    this.#tell("read");
  }

  #upTo(id) {
    const all = this.messages;
    return all.slice(0, all.findIndex((message) => message.id === id) + 1);
  }

  #place(messages) {
    this.#messages = new Map(messages.map((message) => [message.id, message]));
    place(
      this.#log,
      messages.map(({ element }) => element),
    );
  }

  #updated(message) {
    const known = this.#messages.get(message.id);
    const shown = known ?? new Message(message);
    if (known?.isFinished && known.isAs(message)) shown.update(message);
    else shown.show(message);
    return shown;
  }

  /** Whoever went to another branch with the keyboard can go on to the next one. */
  #show(message) {
    if (!message) return;
    this.#chosen = null;
    message.element.scrollIntoView({ block: "nearest" });
    if (document.activeElement !== document.body) return;
    message.element.querySelector(".branches button:enabled")?.focus({ preventScroll: true });
  }

  #append(id, delta) {
    const reply = this.#messages.get(id);
    if (reply && !reply.isFinished) reply.append(delta);
  }

  #addBlock(block) {
    const reply = this.#messages.get(block.message);
    if (reply && !reply.isFinished && !reply.addBlock(block)) this.#followed.subscribe();
  }

  #take({ meta, messages }) {
    if (meta.event === "message.created") this.#add(messages);
    else for (const message of messages) this.#messages.get(message.id)?.show(message);
    if (meta.event === "run.retrying") this.#retry(meta);
    else if (isFinal(meta.event)) this.#finish(meta);
    else if (meta.event.startsWith("question.")) this.#tell("question", meta);
    this.#tell("running", this.#followed.activeRun);
    this.#tell("shown");
  }

  /** What was asked on another branch needs the whole picture. */
  #add(messages) {
    for (const message of messages) {
      const last = [...this.#messages.keys()].at(-1) ?? null;
      if (message.parent !== last) return this.#followed.subscribe();
      const shown = this.#updated(message);
      this.#messages.set(message.id, shown);
      this.#log.append(shown.element);
    }
  }

  #retry({ message, attempt, of }) {
    this.#messages.get(message)?.say(words("retrying", attempt, of));
  }

  #finish(meta) {
    const { message, error, event } = meta;
    this.#messages.get(message)?.end(meta);
    announce(event === "run.completed" ? words("finished") : (error ?? words("state_stopped")));
  }

  #tell(type, detail = null) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
