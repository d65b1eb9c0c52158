import { ask } from "../asking.js";
import { words } from "../localise.js";

/** A citation shows its part of the page; any other link opens in a tab, since the panel is no place to go from. */
export async function openLink(event, tab, notices) {
  const link = event.target.closest("a[href]");
  if (!link) return;
  event.preventDefault();
  if (!link.matches(".citation")) return openTab(link.getAttribute("href"));
  notices.show("page", await showPart(tab, link.dataset));
}

/** Resolves to what is to be said of it, or null. */
async function showPart(tab, { xpath, digest }) {
  try {
    const outcome = tab === null ? "gone" : await ask("highlight", { tab, part: { xpath, digest } });
    return outcome === "gone" ? { code: "citation.gone", message: words("citation_gone") } : null;
  } catch (problem) {
    return problem;
  }
}

/** Addresses of the server's are relative in what it renders. */
async function openTab(href) {
  const { server } = await ask("pairing");
  const address = new URL(href, server ?? undefined);
  if (/^(https?|mailto):$/.test(address.protocol)) chrome.tabs.create({ url: address.href });
}
