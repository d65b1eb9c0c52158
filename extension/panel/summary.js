import { words } from "../localise.js";
import { labelOf } from "../shared/questions/answering.js";
import { element } from "../shared/questions/card_elements.js";
import { part } from "./page.js";

const PLACES = ["control_ui", "extension", "api", "text"];

/** Put each set of a reply where its text says that it was asked; those that have no place there go before it. */
export function sumUp(reply, text, sets) {
  const inText = part(reply, "text");
  const stale = sets.filter((set) => !inText.querySelector(`[data-set="${set.id}"][data-status="${set.status}"]`));
  text.sumUp(element("div", {}, element("div", { "data-part": "text" }, ...stale.map(summary))));
  const isPlaced = ({ id }) => inText.querySelector(`[data-part="summary"][data-set="${id}"]`);
  putSummaries(
    part(reply, "asked"),
    sets.filter((set) => set.status !== "pending" && !isPlaced(set)),
  );
}

/** Leaves what is there already: somebody may be selecting it. */
export function putSummaries(place, sets) {
  const wanted = sets.map(({ id, status }) => `${id} ${status}`).join();
  if ((place.dataset.holds ?? "") === wanted) return;
  place.dataset.holds = wanted;
  place.replaceChildren(...sets.map(summary));
}

/** What stays of a question set: a line for each question, as the Control UI shows it. */
function summary(set) {
  const properties = { className: "summary", role: "group", "aria-label": words("your_answers") };
  const { id, status, comment } = set;
  return element(
    "div",
    { ...properties, "data-part": "summary", "data-set": id, "data-status": status },
    element(
      "dl",
      { className: "summary__lines" },
      ...set.questions.map((question) => questionLine(set, question)),
      comment ? line(words("comment"), comment) : null,
    ),
    whereOf(set),
    canChange(set) ? changeButton(id) : null,
  );
}

function canChange({ status, source, run }) {
  return status === "answered" && source !== "api" && run;
}

function changeButton(id) {
  const about = { className: "quiet-button", "data-act": "change", "data-set": id };
  return element("button", { type: "button", ...about }, words("change_answer"));
}

function questionLine({ status, answers }, { id, header }) {
  const given = answers?.[id] ?? [];
  if (!given.length) return line(header, words(`said_${status}`), "summary__line--open");
  return line(header, given.map(wordsOf).join(", "));
}

function wordsOf({ value, source }) {
  return source === "option" ? labelOf({ label: value, recommended: true }) : value;
}

function line(header, said, kind = "") {
  const name = element("dt", { dir: "auto" }, header, element("span", { className: "visually-hidden" }, ": "));
  return element("div", { className: `summary__line ${kind}` }, name, element("dd", { dir: "auto" }, said));
}

function whereOf({ status, resolved_by: by }) {
  if (!by || !["answered", "skipped"].includes(status)) return null;
  const surface = by.surface && words(PLACES.includes(by.surface) ? `surface_${by.surface}` : "surface_other");
  const place = [surface, by.device].filter(Boolean).join(", ");
  if (!place) return null;
  return element("p", { className: "summary__where" }, words(`${status}_where`, place));
}
