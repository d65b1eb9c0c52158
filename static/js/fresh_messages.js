import { page } from "askweb/api.js";

const wanted = new Map(); // by id: those who wait for a message

/** A message's element as the server renders it now, or null. Many at once come with one page. */
export function freshMessage(id) {
  return new Promise((take) => {
    if (!wanted.size) setTimeout(fetchWanted);
    wanted.set(id, [...(wanted.get(id) ?? []), take]);
  });
}

async function fetchWanted() {
  const all = new Map(wanted);
  wanted.clear();
  const found = all.size > 1 ? await page(location.pathname).catch(() => null) : null;
  for (const [id, takers] of all) {
    const fresh = found?.getElementById(`message-${id}`) ?? (await fetchOne(id));
    for (const take of takers) take(fresh);
  }
}

async function fetchOne(id) {
  const found = await page(`/messages/${id}/`).catch(() => null);
  return found?.querySelector("chat-message") ?? null;
}
