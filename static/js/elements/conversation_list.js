import { get } from "askweb/api.js";
import { ListSection } from "askweb/list_section.js";
import { fillItem } from "askweb/listed_item.js";
import { copyOf, part, word } from "askweb/page.js";
import { socket } from "askweb/socket.js";
import { setTitle } from "askweb/title.js";

/** The list of conversations, kept as the person's feed tells. */
export class ConversationList extends HTMLElement {
  #ending = null;
  #revisions = new Map(); // by id: of what is shown
  #sections = [];

  connectedCallback() {
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    this.#sections = [...this.querySelectorAll("[data-part=section]")].map((element) => new ListSection(element));
    socket.addEventListener("open", () => socket.command("subscribe"), { signal });
    socket.addEventListener("frame", ({ detail }) => this.#take(detail), { signal });
    this.addEventListener("askweb:listed", ({ detail }) => this.#takeOwn(detail), { signal });
    if (socket.isOpen) socket.command("subscribe");
  }

  disconnectedCallback() {
    this.#ending.abort();
  }

  #take({ meta }) {
    if (meta.event === "feed.subscribed") this.#catchUp();
    else if (meta.event === "conversation.deleted") this.#remove(meta.conversation);
    else if (meta.event?.startsWith("question.") && meta.question_set) this.#mark(meta);
    else if (meta.event === "conversation.created" || meta.event === "conversation.updated") {
      this.#show({ ...meta, id: meta.conversation });
    } else if (meta.code === "socket.behind" && !this.#isOpen(meta.conversation)) socket.command("subscribe");
  }

  /** What the person did here, at once. The feed tells it, too. */
  #takeOwn({ id, conversation }) {
    if (conversation) this.#show(conversation);
    else this.#remove(id);
  }

  /** What happened before the feed began, or while it was away. */
  async #catchUp() {
    for (const section of this.#sections.filter((each) => each.isLive)) {
      for (const conversation of await section.catchUp()) this.#show(conversation);
    }
    this.#tidy();
    const asked = await get("/api/questions/?status=pending").catch(() => ({ results: [] }));
    for (const set of asked.results) {
      this.#mark({ conversation: set.conversation, question_set: set });
      document.dispatchEvent(new CustomEvent("askweb:question-known", { detail: set }));
    }
  }

  #show(told) {
    if (this.#isStale(told)) return;
    const conversation = { ...told, title: told.title || word("untitled") };
    const known = this.#find(conversation.id);
    if (this.#isOpen(conversation.id)) this.#retitle(conversation.title);
    const section = this.#sections.find((each) => each.takes(conversation));
    if (section && (known || section.isLive)) this.#fill(known ?? copyOf(part(this, "item")), conversation, section);
    else known?.remove();
    this.#tidy();
  }

  /** What was read before a change may arrive after the news of it. */
  #isStale({ id, revision }) {
    if (revision < this.#revisions.get(id)) return true;
    this.#revisions.set(id, revision);
    return false;
  }

  #fill(item, conversation, section) {
    fillItem(item, conversation, { isOpen: this.#isOpen(conversation.id), kept: this.dataset.kept });
    if (section.isLive) section.place(item);
  }

  #mark({ conversation, question_set: set }) {
    const item = this.#find(conversation);
    const mark = item && part(item, "asking"); // which what is found by words doesn't have
    if (mark) mark.hidden = set.status !== "pending";
  }

  #retitle(title) {
    part(document, "page-title").textContent = title;
    setTitle(`${title} · AskWeb`);
  }

  #remove(id) {
    this.#find(id)?.remove();
    this.#tidy();
    if (this.#isOpen(id)) this.dispatchEvent(new CustomEvent("askweb:gone", { bubbles: true }));
  }

  /** What stands around the lists, by whether there is something in them. */
  #tidy() {
    const pinned = part(this, "pinned");
    if (pinned) pinned.hidden = this.#sections[0].isEmpty;
    part(this, "none").hidden = !this.#sections.every((each) => each.isEmpty);
  }

  #find(id) {
    return this.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  #isOpen(id) {
    return id === this.dataset.open;
  }
}
