/** Text is cut between characters as people see them, or, where one is endless, between code points. */
askwebPage.define("cutting", () => {
  const AROUND = 64;
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

  function cut(text, limit) {
    if (text.length <= limit) return text;
    const from = Math.max(0, limit - AROUND);
    const { index } = characters.segment(text.slice(from, limit + AROUND)).containing(limit - from);
    return text.slice(0, index > 0 || from === 0 ? from + index : betweenCodePoints(text, limit));
  }

  function betweenCodePoints(text, limit) {
    return text.codePointAt(limit - 1) > 0xffff ? limit - 1 : limit;
  }

  /** White space of any kind as one space each. */
  function oneLine(text) {
    return text.replace(/\s+/g, " ").trim();
  }

  return { cut, oneLine };
});
