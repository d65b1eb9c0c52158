import { keep, kept } from "./kept.js";
import { call } from "./server.js";

/** The server's tools, as last seen: [{ slug, name, kinds }]. */
export async function tools() {
  return (await kept("tools")) ?? [];
}

/** The kinds of context that a tool takes; none where the server knows no such tool. */
export async function kindsOf(slug) {
  const isIt = (tool) => tool.slug === slug;
  const found = slug && ((await tools()).find(isIt) ?? (await renewTools().catch(() => [])).find(isIt));
  return found ? found.kinds : [];
}

/** Whether a tool is nothing without words: it takes nothing of a page, or the parts in which they are to be found. */
export function needsWords(kinds) {
  return kinds.includes("pageSearch") || kinds.every((kind) => kind === "always");
}

/** Ask for them anew; resolves to them. Menus follow. */
export async function renewTools() {
  const { results } = await call("GET", "/api/tools/");
  const found = results.map(({ slug, name, kinds }) => ({ slug, name, kinds }));
  if (JSON.stringify(found) === JSON.stringify(await tools())) return found;
  await keep("tools", found);
  await makeMenus();
  return found;
}

export async function makeMenus() {
  const contexts = ["page", "selection", "link"];
  const add = (item) => chrome.contextMenus.create({ contexts, ...item }, () => chrome.runtime.lastError);
  const found = await tools();
  await chrome.contextMenus.removeAll();
  add({ id: "askweb", title: "AskWeb" });
  add({ id: "tool:", parentId: "askweb", title: chrome.i18n.getMessage("menu_ask") });
  for (const { slug, name } of found)
    add({ id: `tool:${slug}`, parentId: "askweb", title: name.replaceAll("&", "&&") });
}
