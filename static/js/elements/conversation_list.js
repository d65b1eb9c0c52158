import { get } from "askweb/api.js";
import { conversationPage, copyOf, part } from "askweb/page.js";
import { socket } from "askweb/socket.js";
import { setTitle } from "askweb/title.js";

/** The list of conversations, kept as the person's feed tells. */
export class ConversationList extends HTMLElement {
  #ending = null;

  connectedCallback() {
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    socket.addEventListener("open", () => socket.command("subscribe"), { signal });
    socket.addEventListener("frame", ({ detail }) => this.#take(detail), { signal });
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

  /** What happened before the feed began, or while it was away. */
  async #catchUp() {
    if (!("firstPage" in this.dataset)) return;
    const { results } = await get("/api/conversations/").catch(() => ({ results: null }));
    if (!results) return;
    const listed = new Set(results.map((conversation) => conversation.id));
    for (const item of [...this.#items.children]) if (!listed.has(item.dataset.id)) item.remove();
    for (const conversation of results.reverse()) this.#show(conversation);
    const asked = await get("/api/questions/?status=pending").catch(() => ({ results: [] }));
    for (const set of asked.results) {
      this.#mark({ conversation: set.conversation, question_set: set });
      document.dispatchEvent(new CustomEvent("askweb:question-known", { detail: set }));
    }
  }

  #show(conversation) {
    const known = this.#find(conversation.id);
    if (conversation.archived) return known?.remove();
    if (!known && !("firstPage" in this.dataset)) return;
    const item = known ?? copyOf(part(this, "item"));
    const isNewer = !known || Date.parse(conversation.updated) > Date.parse(item.dataset.updated);
    this.#fill(item, conversation);
    if (isNewer && "firstPage" in this.dataset && this.#items.firstElementChild !== item) this.#items.prepend(item);
    part(this, "none").hidden = true;
  }

  #fill(item, { id, title, page, updated, active_run: run }) {
    const link = item.querySelector("a");
    const isOpen = this.#isOpen(id);
    Object.assign(item.dataset, { id, updated });
    link.href = conversationPage(id);
    if (isOpen) link.setAttribute("aria-current", "page");
    part(item, "title").textContent = title;
    part(item, "host").textContent = page.host;
    part(item, "running").hidden = !run;
    if (isOpen) this.#retitle(title);
  }

  #mark({ conversation, question_set: set }) {
    const item = this.#find(conversation);
    if (item) part(item, "asking").hidden = set.status !== "pending";
  }

  #retitle(title) {
    part(document, "page-title").textContent = title;
    setTitle(`${title} · AskWeb`);
  }

  #remove(id) {
    this.#find(id)?.remove();
    part(this, "none").hidden = this.#items.childElementCount > 0;
    if (this.#isOpen(id)) this.dispatchEvent(new CustomEvent("askweb:gone", { bubbles: true }));
  }

  get #items() {
    return part(this, "items");
  }

  #find(id) {
    return this.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  #isOpen(id) {
    return id === this.dataset.open;
  }
}
