import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";
import { isComposing } from "../shared/questions/composing.js";
import { part } from "./page.js";

/** A message's words in a form inside the message. `save(text)` resolves to what went wrong, or null: then it goes. */
export function edit(message, save) {
  const form = formOf(message);
  const { text } = form.elements;
  const close = () => form.remove();
  const cancel = () => {
    close();
    message.element.querySelector('[data-act="edit"]')?.focus();
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    const problem = await save(text.value);
    form.ariaBusy = "false";
    if (problem) say(form, problem.message);
    else close();
  });
  form.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  part(form, "cancel").addEventListener("click", cancel);
  part(message.element, "text").before(form);
  text.focus();
  text.setSelectionRange(text.value.length, text.value.length);
}

function formOf({ id, content }) {
  const hint = `edit-hint-${id}`;
  const about = { rows: 3, dir: "auto", required: true, "aria-label": words("edit_text"), "aria-describedby": hint };
  const text = element("textarea", { className: "field editing__text", name: "text", value: content, ...about });
  return element(
    "form",
    { className: "editing", "data-part": "editing" },
    element("div", { role: "alert", "data-part": "problem" }),
    text,
    element("p", { className: "hint", id: hint }, words("edit_hint")),
    element(
      "div",
      { className: "editing__row" },
      element("button", { className: "button button--main" }, words("save_and_ask")),
      element("button", { className: "button", type: "button", "data-part": "cancel" }, words("cancel")),
    ),
  );
}

function say(form, text) {
  part(form, "problem").replaceChildren(element("p", { className: "notice notice--error" }, text));
}
