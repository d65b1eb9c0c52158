/** What the extension calls in a page: see docs/extension.md. */
askwebPage.define("page", ({ reading, resolving, highlighting }) => {
  const { read, hasChanged } = reading;
  const { highlight, removeHighlight } = highlighting;
  return Object.assign(askwebPage, { read, hasChanged, resolve: resolving.resolve, highlight, removeHighlight });
});
