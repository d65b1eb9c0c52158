export const DRAFTS = "askweb.draft.";

/** What the browser keeps under this key, or null. */
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage can be switched off
  }
}

/** An empty value keeps nothing. */
export function keep(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    return;
  }
}

/** Nothing that was typed stays behind on a machine that someone else may use next. */
export function forgetDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFTS)) localStorage.removeItem(key);
  } catch {
    return;
  }
}
