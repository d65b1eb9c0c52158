import { call } from "./server.js";

/**
 * The messages above one on its branch, oldest first: a page of them, or what of it is on the branch. What was posted
 * with them stays here: each context can be megabytes.
 */
export async function earlier({ conversation, before, parent }) {
  const path = [];
  let next = `/api/conversations/${conversation}/messages/?before=${before}`;
  let wanted = parent;
  while (next && wanted && !path.length) {
    const page = await call("GET", next);
    for (const { context: _, ...message } of page.results) {
      if (message.id !== wanted) continue;
      path.unshift(message);
      wanted = message.parent;
    }
    next = page.next && new URL(page.next).pathname + new URL(page.next).search;
  }
  return path;
}
