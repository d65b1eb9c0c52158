import { words } from "../localise.js";
import { GrowingText } from "../shared/growing_text.js";
import { ReplyText } from "../shared/reply_text.js";
import { showActions } from "./actions.js";
import { messageElement } from "./message_elements.js";
import { part } from "./page.js";
import { showPictures } from "./pictures.js";
import { putSummaries, sumUp } from "./summary.js";
import { nameTool } from "./tool_names.js";

const UNFINISHED = ["", "streaming"];

/** One message of the transcript, as the socket tells it. */
export class Message {
  #text;
  #reasoning;

  constructor({ id, role }) {
    this.id = id;
    this.isReply = role === "assistant";
    this.isCut = false;
    this.element = messageElement(role);
    this.element.dataset.id = id;
    if (!this.isReply) return;
    this.#text = new ReplyText(part(this.element, "text"));
    this.#reasoning = new GrowingText(part(this.element, "reasoning"));
  }

  get state() {
    return this.element.dataset.state ?? "";
  }

  get isFinished() {
    return !UNFINISHED.includes(this.state);
  }

  /** Whether nothing was added to it, as Continue does. */
  isAs({ state, content }) {
    return state === this.state && content === this.content;
  }

  show(message) {
    this.element.dataset.state = message.state;
    this.isTold = this.isCut = false;
    this.update(message);
    if (this.isReply) this.#showReply(message);
    else this.#showPlain(message);
  }

  /** What may change of a message whose text is whole. */
  update({ parent, content, siblings }) {
    Object.assign(this, { parent, content, siblings });
    const place = part(this.element, "actions");
    if (place) showActions(place, this);
  }

  /** How its run ended: an error that is told, or a limit that it met. */
  end({ error, finish }) {
    this.isTold = true;
    this.isCut = finish === "length";
    if (this.isCut || error) this.say(error || words("state_cut"));
    this.update(this);
  }

  append({ content = "", reasoning_content: reasoning = "" }) {
    this.say("");
    if (content) this.#text.add(content);
    if (reasoning) this.#think(reasoning);
  }

  /** False when it does not fit what is shown. */
  addBlock(block) {
    return this.#text.addBlock(block);
  }

  /** A line below: what became of it. */
  say(text) {
    part(this.element, "outcome").textContent = text;
  }

  /** `asked` are the question sets of this reply, `after` those that scripts asked behind this message. */
  sumUp({ asked, after }) {
    if (this.isReply) sumUp(this.element, this.#text, asked);
    putSummaries(part(this.element, "asked-after"), after);
  }

  #showReply(message) {
    this.#think(message.reasoning, true);
    if (message.state === "streaming") this.#text.show(message);
    else this.#text.finish(message.html);
    this.element.setAttribute("aria-busy", String(message.state === "streaming"));
    if (this.isFinished) this.say(message.state === "complete" ? "" : words(`state_${message.state}`));
  }

  #showPlain({ role, content, tool, images }) {
    part(this.element, "text").textContent = content;
    if (role !== "user") return;
    nameTool(part(this.element, "tool"), tool);
    showPictures(part(this.element, "pictures"), images);
  }

  #think(reasoning, isWhole = false) {
    if (isWhole) this.#reasoning.set(reasoning ?? "");
    else this.#reasoning.add(reasoning);
    if (isWhole || reasoning) part(this.element, "thinking").hidden = !reasoning;
  }
}
