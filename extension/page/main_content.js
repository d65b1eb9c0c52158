/** The text a page is about, by Readability, on a copy of the copy; where that finds none, all that is shown. */
askwebPage.define("main_content", ({ limits, plain_text: plainText }) => {
  const TOO_LITTLE = 200; // characters, where the page shows more

  function mainContent(copying) {
    const article = readable(copying);
    const text = article ? plainText.asText(article) : "";
    return text.length >= TOO_LITTLE ? text : longer(text, plainText.asText(copying.document.documentElement));
  }

  function longer(one, other) {
    return one.length >= other.length ? one : other;
  }

  function readable({ document, elements, length }) {
    if (elements > limits.READABLE.elements || length > limits.READABLE.text) return null;
    const options = { serializer: (element) => element, keepClasses: true, disableJSONLD: true };
    try {
      return new Readability(document.cloneNode(true), options).parse()?.content ?? null;
    } catch {
      return null; // it gives up on pages that it doesn't understand
    }
  }

  return { mainContent };
});
