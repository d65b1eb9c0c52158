import { ask } from "../asking.js";
import { words } from "../localise.js";

const FOREVER = 1e9; // seconds

/** What cards take to have an answer changed that was given: the set as if it waited, with that answer in it. */
export function changing(set, spoken) {
  const given = set.questions.map(({ id }) => [id, entryOf(set.answers?.[id] ?? [])]);
  const draft = { answers: Object.fromEntries(given), comment: set.comment, step: 0, revision: 0 };
  const cancel = { question_skip: words("cancel"), question_really_skip: words("cancel") };
  return {
    set: { ...set, draft, seconds_left: FOREVER },
    transport: transportOf(set),
    words: { ...spoken, ...cancel, question_sure: words("change_sure") },
  };
}

function entryOf(answers) {
  const own = answers.find(({ source }) => source === "other")?.value ?? null;
  const options = answers.filter(({ source }) => source === "option").map(({ index }) => index);
  return { options, other: own, other_checked: own !== null };
}

/** There is no draft of a change, and no time that could run out. Skip leaves the answer as it is. */
function transportOf(set) {
  return {
    answer: async (body) => {
      await ask("change", { id: set.id, body });
      return set;
    },
    skip: async () => null,
    draft: async () => ({ revision: 0 }),
  };
}
