/** The text a page is about, by Readability, on a copy of the copy; where that finds none, all that is shown. */
askwebPage.define("main_content", ({ limits, plain_text: plainText }) => {
  const TOO_LITTLE = 200; // characters: all that is shown is taken then

  function mainContent(copying) {
    const article = readable(copying);
    const text = article ? plainText.asText(article) : "";
    return text.length >= TOO_LITTLE ? text : plainText.asText(copying.document.documentElement);
  }

  function readable({ document, elements, length }) {
    if (elements > limits.READABLE.elements || length > limits.READABLE.text) return null;
    const options = { charThreshold: TOO_LITTLE, serializer: (element) => element, disableJSONLD: true };
    try {
      return new Readability(document.cloneNode(true), options).parse()?.content ?? null;
    } catch {
      return null; // it gives up on pages that it doesn't understand
    }
  }

  return { mainContent };
});
