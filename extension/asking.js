/** Ask the worker for something, from a page of ours. Rejects with what it says went wrong. */
export async function ask(act, more = {}) {
  const { answer, problem } = await chrome.runtime.sendMessage({ act, ...more });
  if (problem) throw Object.assign(new Error(problem.message), problem);
  return answer;
}
