import { words } from "./localise.js";

const AGAIN = ["claim", "pairing", "post", "read", "show", "shown", "stop", "tools", "wanted"]; // twice is as good as once
const TRIES = 10;
const PAUSE = 200; // milliseconds

/** Ask the worker for something, from a page of ours. Rejects with what it says went wrong. */
export async function ask(act, more = {}) {
  const { answer, problem } = await told({ act, ...more }, AGAIN.includes(act) ? TRIES : 1);
  if (problem) throw Object.assign(new Error(problem.message), problem);
  return answer;
}

/** The worker may die before it has answered; asking starts another. */
async function told(message, tries) {
  try {
    return await chrome.runtime.sendMessage(message);
  } catch {
    if (tries > 1) return later(() => told(message, tries - 1));
    return { problem: { code: "fault", message: words("problem_fault") } };
  }
}

function later(act) {
  return new Promise((resolve) => setTimeout(resolve, PAUSE)).then(act);
}
