/** What was taken of a page, and what of it goes along. A piece is an item of the context, or a field of the page's. */

const OF_PAGE = ["content", "selection"];
const NAMES = { selection: "selection", code: "code", link: "link" };

/** Each piece: { key, name, about }; `name` is a word of ours. */
export function pieces(context) {
  return context.flatMap((item, index) => {
    if (item.id !== "page") return [{ key: String(index), ...described(item) }];
    const fields = OF_PAGE.filter((field) => item[field]).map((field) => piece(index, field, item[field]));
    return [{ key: `${index}.page`, name: "chip_page", about: item.title || item.url }, ...fields];
  });
}

/** The context without what was removed; an item of which nothing is left is gone. */
export function without(context, removed) {
  return context.flatMap((item, index) => {
    if (item.id !== "page") return removed.has(String(index)) ? [] : [item];
    const gone = removed.has(`${index}.page`) ? ["title", "url", "lang"] : [];
    const left = ([field]) => !gone.includes(field) && !removed.has(`${index}.${field}`);
    const page = Object.fromEntries(Object.entries(item).filter(left));
    return Object.keys(page).some((field) => field !== "id" && page[field]) ? [page] : [];
  });
}

/** Parts to find go along only where a tool asks for them: alone they would choose the tool that finds. */
export function forTool(context, kinds) {
  return context.filter(({ id }) => id !== "pageSearch" || kinds.includes("pageSearch"));
}

/** Whether there is anything that a tool of these kinds is for. A piece of code is a selection, and may be taken for one. */
export function suits(context, kinds) {
  const like = { code: ["code", "selection"], selection: ["selection", "code"], link: ["link"] };
  const found = context.flatMap(({ id, type }) => (id === "quote" ? (like[type] ?? []) : [id]));
  return kinds.some((kind) => kind === "always" || found.includes(kind));
}

function piece(index, field, text) {
  return { key: `${index}.${field}`, name: `chip_${field}`, count: text.length, about: text };
}

function described(item) {
  if (item.id === "pageSearch") return { name: "chip_parts", about: String(item.list.length) };
  if (item.id === "stackoverflow" || item.id === "github") return { name: `chip_${item.id}`, about: item.title ?? "" };
  const about = item.selection ?? item.code ?? item.linkText ?? item.linkUrl ?? "";
  return { name: `chip_${NAMES[item.type] ?? "selection"}`, about: about || item.linkUrl || "" };
}
