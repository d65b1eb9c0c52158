import { labelOf } from "./answering.js";

/** An element with properties ("data-" and "aria-" ones as attributes) and children; null children are left out. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (/^(data|aria)-|^role$/.test(name)) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The form of a whole set, with `data-part`s to find things by. `words` are those of questions/words.py. */
export function cardsForm(set, words) {
  const about = { words, isFollowup: set.source === "xml", prefix: `cards-${set.id}` };
  const comment = { placeholder: words.question_comment, "aria-label": words.question_comment, "data-part": "comment" };
  return element(
    "form",
    { className: "cards", autocomplete: "off", noValidate: true },
    element("p", { className: "hint", role: "timer", "data-part": "time" }),
    element("div", { role: "alert", "data-part": "problem" }),
    ...set.questions.map((question) => questionCard(question, about)),
    element("textarea", { className: "field option__text", rows: 1, dir: "auto", ...comment }),
    element(
      "div",
      { className: "questions__actions", "data-part": "actions" },
      button("submit", "button button--main", words.question_submit),
      button("extend", "quiet-button", words.question_extend),
      button("skip", "quiet-button", words.question_skip),
    ),
    element(
      "div",
      {
        className: "questions__sure",
        role: "group",
        "aria-label": words.question_skip,
        hidden: true,
        "data-part": "sure",
      },
      element("p", {}, words.question_sure),
      button("really-skip", "button button--danger", words.question_really_skip),
      button("keep", "button", words.question_keep),
    ),
    element("p", { className: "visually-hidden", role: "status", "data-part": "said" }),
  );
}

function button(part, className, words) {
  return element("button", { type: "button", className, "data-part": part }, words);
}

/** A question as `QuestionFields` reads it. */
function questionCard(question, { words, isFollowup, prefix }) {
  const { id, header, multi_select: several, options } = question;
  const asked = element(
    "legend",
    { className: "question__asked" },
    element("span", { className: "question__header", dir: "auto" }, header),
    element("span", { className: "question__text", dir: "auto" }, question.question),
  );
  const hint = several ? element("p", { className: "hint" }, words.question_several) : null;
  const own = ownText(words, isFollowup);
  const choice = { type: several ? "checkbox" : "radio", name: `${prefix}-${id}`, words };
  const choices = isFollowup
    ? [...options.map((option, index) => suggestion(option, index, words)), own]
    : [...options.map((option, index) => optionRow(option, index, choice)), otherRow(choice, own)];
  const properties = { className: "question", "data-question": id, "data-part": "question" };
  return element("fieldset", properties, asked, hint, ...choices);
}

function optionRow({ label, description, recommended }, index, { type, name, words }) {
  const about = description ? element("p", { className: "option__about", dir: "auto" }, description) : null;
  const input = element("input", { className: "option__input", type, name, "data-choice": index });
  if (about) {
    about.id = `${name}-about-${index}`;
    input.setAttribute("aria-describedby", about.id);
  }
  const shown = element("span", { className: "option__words", dir: "auto" }, labelOf({ label, recommended }));
  const row = element("label", { className: "option__label" }, input, shown, recommended ? badge(words) : null);
  return element("div", { className: "option" }, row, about);
}

function otherRow({ type, name, words }, own) {
  const input = element("input", { className: "option__input", type, name, "data-choice": "other" });
  const label = element("label", { className: "option__label" }, input, words.question_other);
  return element("div", { className: "option option--other" }, label, own);
}

function ownText(words, isFollowup) {
  const name = isFollowup ? words.question_own : `${words.question_other}: ${words.question_own}`;
  const properties = { className: "field option__text", rows: 1, dir: "auto", placeholder: words.question_own };
  return element("textarea", { ...properties, "data-part": "other", "aria-label": name });
}

function suggestion({ label, recommended }, index, words) {
  const properties = { type: "button", className: "suggestion__send", dir: "auto", "data-suggestion": index };
  const send = element("button", properties, labelOf({ label, recommended }), recommended ? badge(words) : null);
  return element("div", { className: "suggestion" }, send);
}

function badge(words) {
  return element("span", { className: "badge badge--recommended" }, words.question_recommended);
}
