import { patch, remove } from "askweb/api.js";
import { conversationPage, part, word } from "askweb/page.js";

const NAMES = { pinned: ["pin", "unpin"], archived: ["archive", "unarchive"] };

/** Show a conversation of the API, or of the feed, as an item of a list. */
export function fillItem(item, conversation, { isOpen, kept }) {
  const { id, title, page, updated, active_run: run } = conversation;
  Object.assign(item.dataset, { id, updated });
  const link = item.querySelector("a");
  link.href = conversationPage(id) + kept;
  if (isOpen) link.setAttribute("aria-current", "page");
  part(item, "title").textContent = title;
  part(item, "host").textContent = page.host;
  part(item, "running").hidden = !run;
  part(item, "more-of").ariaLabel = `${word("listed_more")}: ${title}`;
  for (const button of item.querySelectorAll("[data-act]")) fillButton(button, conversation);
}

/** Do what a button says; return the conversation as it is then, or null when it is deleted. */
export async function actOn(button) {
  const url = `/api/conversations/${button.value}/`;
  const { act } = button.dataset;
  if (act === "delete") return remove(url);
  return patch(url, { [act]: button.name === NAMES[act][0] });
}

function fillButton(button, conversation) {
  const { act } = button.dataset;
  button.value = conversation.id;
  if (!NAMES[act]) return;
  button.name = NAMES[act][Number(conversation[act])];
  part(button, "label").textContent = word(button.name);
}
