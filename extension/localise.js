/** Words of `_locales`: an element's text by `data-words`, attributes by `data-words-<attribute>`. */

export function words(name, ...filled) {
  return chrome.i18n.getMessage(name, filled.map(String));
}

export function localise(root = document) {
  if (root === document) document.documentElement.lang = chrome.i18n.getMessage("@@ui_locale").replace("_", "-");
  for (const element of root.querySelectorAll("[data-words]")) element.textContent = words(element.dataset.words);
  for (const name of ["placeholder", "aria-label", "title"]) {
    for (const element of root.querySelectorAll(`[data-words-${name}]`)) {
      element.setAttribute(name, words(element.getAttribute(`data-words-${name}`)));
    }
  }
}
