import { page } from "askweb/api.js";
import { Followed, isFinal } from "askweb/followed.js";
import { announce, copyOf, part, word } from "askweb/page.js";
import { socket } from "askweb/socket.js";

/** The messages of a conversation, kept as the socket tells. Dispatches "askweb:running" with the run's id. */
export class LiveTranscript extends HTMLElement {
  #ending = null;
  #followed = null;
  #elsewhere = new Set(); // ids of messages on branches that aren't shown
  #chosen = null; // the id of the message whose branch the person wants to see

  connectedCallback() {
    if (!("live" in this.dataset)) return;
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#followed = new Followed(socket, this.dataset.conversation, signal);
    const on = (type, act) => this.#followed.addEventListener(type, ({ detail }) => act(detail), { signal });
    on("snapshot", (frame) => this.#showAll(frame));
    on("delta", (frame) => this.#append(frame));
    on("block", ({ meta }) => this.#addBlock(meta));
    on("event", (frame) => this.#take(frame));
    on("gone", () => this.#tell("askweb:gone"));
    document.addEventListener("askweb:question-over", ({ detail }) => this.#sumUp(detail), { signal });
    document.addEventListener("askweb:branched", ({ detail }) => this.#switchTo(detail), { signal });
  }

  disconnectedCallback() {
    this.#ending?.abort();
  }

  #showAll({ meta, messages }) {
    const path = pathTo(meta.head, messages);
    const first = path[0] && this.#find(path[0].parent);
    const kept = first ? this.#upTo(first) : [];
    const shown = path.map((message) => this.#updated(message));
    const isWhole = !path.length || !path[0].parent || first;
    if (!isWhole) this.#linkEarlier(path[0].id);
    this.#place([...kept, ...shown]);
    this.#elsewhere = new Set(messages.filter((message) => !path.includes(message)).map(({ id }) => id));
    this.#lookAt(this.#find(this.#chosen));
    this.#tell("askweb:running", meta.active_run);
    this.#tell("askweb:question-pending", meta.question_set ?? null);
  }

  #updated(message) {
    const known = this.#find(message.id);
    const element = known ?? copyOf(part(this, message.role === "assistant" ? "assistant" : "user"));
    const isSettled = known?.isFinished && known.dataset.state === message.state;
    if (!isSettled) element.show(message);
    return element;
  }

  /** Move as little as possible: a moved element loses its focus and its selection. */
  #place(elements) {
    const log = part(this, "log");
    const wanted = new Set(elements);
    for (const element of [...log.children]) if (!wanted.has(element)) element.remove();
    elements.forEach((element, index) => {
      if (log.children[index] !== element) log.insertBefore(element, log.children[index] ?? null);
    });
  }

  #append({ meta, delta }) {
    const reply = this.#find(meta.message);
    if (reply && !reply.isFinished) reply.append(delta);
    else if (!this.#elsewhere.has(meta.message)) this.#followed.subscribe();
  }

  #addBlock(block) {
    const reply = this.#find(block.message);
    if (reply && !reply.isFinished && !reply.addBlock(block)) this.#followed.subscribe();
  }

  #take({ meta, messages }) {
    if (meta.event === "message.created") this.#add(messages);
    else if (meta.event === "run.retrying") this.#find(meta.message)?.retry(meta);
    else if (isFinal(meta.event)) this.#finish(meta, messages);
    else if (["message.updated", "run.waiting"].includes(meta.event)) this.#show(messages);
    else if (meta.event.startsWith("question.")) this.#tell("askweb:question", meta);
    this.#tell("askweb:running", this.#followed.activeRun);
  }

  /** What was asked on another branch, or behind imported messages, needs the whole picture. */
  #add(messages) {
    for (const message of messages) {
      const last = part(this, "log").lastElementChild?.dataset.id ?? null;
      if (message.parent !== last) return this.#followed.subscribe();
      part(this, "log").append(this.#updated(message));
    }
  }

  #show(messages) {
    for (const message of messages) this.#find(message.id)?.show(message);
  }

  #finish(meta, messages) {
    this.#show(messages);
    announce(word(meta.event === "run.completed" ? "finished" : "unfinished"));
  }

  /** What was asked and answered stays with the reply that asked, or below what stood last. */
  async #sumUp(set) {
    const message = this.#find(set.message) ?? part(this, "log").lastElementChild;
    if (message) return message.refresh();
    const found = await page(`/questions/${set.id}/summary/`).catch(() => null);
    if (this.querySelector(`[data-part="asked-first"] [data-set="${CSS.escape(set.id)}"]`)) return;
    if (found) part(this, "asked-first").append(document.importNode(part(found, "summary"), true));
  }

  #switchTo(id) {
    this.#chosen = id;
    this.#followed.subscribe();
  }

  /** Whoever went to another branch with the keyboard can go on to the next one. */
  async #lookAt(message) {
    if (!message) return;
    this.#chosen = null;
    await message.refresh();
    message.scrollIntoView({ block: "nearest" });
    const isLost = document.activeElement === document.body;
    if (isLost) message.querySelector(".branches button:enabled")?.focus({ preventScroll: true });
  }

  #linkEarlier(id) {
    const link = part(this, "earlier");
    link.href = `?before=${id}`;
    link.hidden = false;
  }

  #find(id) {
    return id ? this.querySelector(`#message-${CSS.escape(id)}`) : null;
  }

  #upTo(element) {
    const all = [...part(this, "log").children];
    return all.slice(0, all.indexOf(element) + 1);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

function pathTo(head, messages) {
  const known = new Map(messages.map((message) => [message.id, message]));
  const path = [];
  for (let step = known.get(head); step; step = known.get(step.parent)) path.unshift(step);
  return path;
}
