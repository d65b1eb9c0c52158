/** Which elements are blocks of code, and in which language, by the class names of the usual highlighters. */
askwebPage.define("code_blocks", ({ dom }) => {
  const NAMED = [
    /(?:^|\s)(?:language|lang)-([\w+#.-]+)/, // HTML, Prism, highlight.js, Stack Overflow
    /(?:^|\s)highlight-(?:source|text)-([\w+#.-]+)/, // GitHub
    /(?:^|\s)brush:\s*([\w+#.-]+)/, // MDN, SyntaxHighlighter
    /(?:^|\s)sourceCode\s+([\w+#.-]+)/, // pandoc
    /(?:^|\s)highlight-([\w+#.-]+)/, // Sphinx
  ];
  const HLJS = /(?:^|\s)hljs(?:\s|$)/;
  const NO_LANGUAGE =
    /^(hljs.*|code-?block|copy.*|highlight|lines?|line-numbers|notranslate|prettyprint|s-code-block|wrap)$/i;
  const NONE = new Set(["default", "none", "nohighlight", "no-highlight", "plain", "plaintext", "text", "txt"]);
  const SHORTER = { "html-basic": "html", "html-erb": "erb", markup: "html", python3: "python", viml: "vim" };
  const NUMBERS = /(?:^|\s)(linenos?|gutter|line-?numbers-rows|blob-num)(\s|$)/;
  const AROUND = 3;

  /** `<pre>`, and `<code>` that is set like it. */
  function isCodeBlock({ name, isBlock, keeps }) {
    return name === "pre" || (name === "code" && isBlock && keeps === "all");
  }

  /** The column of numbers that some highlighters put beside the lines of code. */
  function isNumbers(element, name) {
    return (name === "pre" || name === "td") && NUMBERS.test(classesOf(element));
  }

  /** The language as the page writes it, in lower case, or "". */
  function languageOf(element) {
    const inner = dom.query(element, "code");
    const candidates = [...(inner ? [inner] : []), element, ...around(element)];
    for (const each of candidates) {
      const language = named(each);
      if (language) return NONE.has(language) ? "" : language;
    }
    return "";
  }

  function around(element) {
    const found = [];
    let parent = dom.parent(element);
    while (parent && dom.type(parent) === dom.ELEMENT && found.length < AROUND) {
      found.push(parent);
      parent = dom.parent(parent);
    }
    return found;
  }

  function named(element) {
    const classes = classesOf(element);
    const match = NAMED.map((pattern) => pattern.exec(classes)).find(Boolean);
    const language = match?.[1] ?? besideHljs(classes) ?? dom.attribute(element, "data-lang").trim();
    const lower = (language || dom.attribute(element, "data-language")).toLowerCase().slice(0, 40);
    return SHORTER[lower] ?? lower;
  }

  function besideHljs(classes) {
    return HLJS.test(classes) ? classes.split(/\s+/).find((name) => name && !NO_LANGUAGE.test(name)) : null;
  }

  function classesOf(element) {
    return dom.attribute(element, "class").slice(0, 1_000);
  }

  return { isCodeBlock, isNumbers, languageOf };
});
