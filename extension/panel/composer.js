import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";
import { isComposing } from "../shared/questions/composing.js";
import { part } from "./page.js";

/** The person's words, the tool, Send and Stop. `send({ text, tool })` is called once for each text, `stop(run)` on Stop. */
export class Composer {
  #form;
  #send;
  #toolChosen;
  #chosen = "";
  #tools = [];
  #run = null;
  #holds = 0;

  constructor(form, { send, stop, toolChosen }) {
    this.#form = form;
    this.#send = send;
    this.#toolChosen = toolChosen;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    form.elements.text.addEventListener("keydown", (event) => this.#key(event));
    form.elements.tool.addEventListener("change", ({ target }) => this.choose(target.value));
    part(form, "stop").addEventListener("click", () => this.#run && stop(this.#run));
  }

  /** The kinds of context that the chosen tool takes. */
  get kinds() {
    return this.#tools.find(({ slug }) => slug === this.#form.elements.tool.value)?.kinds ?? [];
  }

  offer(tools) {
    const { tool } = this.#form.elements;
    this.#tools = tools;
    const options = tools.map(({ slug, name }) => element("option", { value: slug }, name));
    tool.replaceChildren(element("option", { value: "" }, words("tool_auto")), ...options);
    this.choose(this.#chosen);
  }

  /** It may be chosen before it is known. */
  choose(slug) {
    this.#chosen = slug;
    this.#form.elements.tool.value = this.#tools.some((tool) => tool.slug === slug) ? slug : "";
    this.#toolChosen(this.kinds);
  }

  /** Put a text back that was not sent; what is typed already stays below it. */
  compose(text) {
    const { text: field } = this.#form.elements;
    field.value = [text, field.value].filter(Boolean).join("\n\n");
    field.focus();
  }

  running(run) {
    this.#run = run;
    part(this.#form, "stop").hidden = !run;
    part(this.#form, "send").hidden = Boolean(run);
  }

  focus() {
    this.#form.elements.text.focus();
  }

  /** A double click is one click: the field is empty, and nothing goes out, until the first is on its way. */
  async submit() {
    const { text: field, tool } = this.#form.elements;
    const asked = { text: field.value, tool: tool.value };
    if (this.#holds || this.#run || !(asked.text.trim() || asked.tool)) return;
    field.value = "";
    const isSent = await this.hold(() => this.#send(asked)).then(
      () => true,
      () => false,
    );
    if (isSent) this.choose("");
    else this.compose(asked.text);
  }

  /** Nothing else goes out as long as `act` lasts. */
  async hold(act) {
    this.#holds += 1;
    part(this.#form, "send").setAttribute("aria-disabled", "true");
    try {
      return await act();
    } finally {
      this.#holds -= 1;
      if (!this.#holds) part(this.#form, "send").removeAttribute("aria-disabled");
    }
  }

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    this.submit();
  }
}
