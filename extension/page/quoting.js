/** Items of the kind `quote`: what a person points at, with the page that it is on. */
askwebPage.define("quoting", ({ dom, resolving, cutting, plain_text: plainText }) => {
  function ofSelection({ text, language }, page) {
    if (language !== null) return ofCode(text, language, page);
    return { ...quote("selection", page), selection: text };
  }

  function ofCode(code, codeLanguage, page) {
    return { ...quote("code", page), code, codeLanguage };
  }

  /** Its text is that of the first such link that shows any. */
  function ofLink(linkUrl, copy, page) {
    const links = [...copy.querySelectorAll("a[href]")].filter((link) => link.getAttribute("href") === linkUrl);
    const texts = links.map((link) => cutting.oneLine(plainText.asText(link)));
    return { ...quote("link", page), linkText: texts.find(Boolean) ?? "", linkUrl };
  }

  /** `place` is a block of code, or its xpath and digest; null where there is none, or it isn't shown. */
  function ofCodeAt(place, codes, page) {
    const element = "xpath" in place && !dom.isNode(place) ? resolving.resolve(place.xpath, place.digest) : place;
    const copy = codes.get(element);
    return copy ? ofCode(copy.textContent, copy.getAttribute("data-code"), page) : null;
  }

  function quote(type, { title, url }) {
    return { id: "quote", type, pageTitle: title, pageUrl: url };
  }

  return { ofSelection, ofLink, ofCodeAt };
});
