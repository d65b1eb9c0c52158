/** Text as a page shows it, written piece by piece: white space collapses, and blocks stand on lines of their own. */
askwebPage.define("lines", () => {
  const COLLAPSING = /[ \t\r\n\f]+/g;
  const SPACES_AROUND_BREAK = /[ \t\f]*\r?\n[ \t\f]*/;

  class Lines {
    #pieces = [];
    #ended = 0; // line breaks at the end of what is written
    #breaks = 0; // that are due before the next text
    #space = false;

    get isEmpty() {
      return this.#pieces.length === 0;
    }

    /** `keeps` is "all" white space, "lines" alone, or "" for none. */
    text(text, keeps = "") {
      if (keeps === "all") this.#write(text);
      else if (keeps === "lines") this.#collapsedLines(text.split(SPACES_AROUND_BREAK));
      else this.#collapsed(text);
    }

    /** Whatever comes next stands below, at least so many line breaks. Nothing stands above the first line. */
    below(breaks) {
      if (breaks === 0) return;
      this.#space = false;
      if (!this.isEmpty) this.#breaks = Math.max(this.#breaks, breaks);
    }

    lineBreak() {
      this.#write("\n");
    }

    toString() {
      return this.#pieces.join("").replace(/^\n+|\n+$/g, "");
    }

    #collapsedLines([first, ...others]) {
      this.#collapsed(first);
      for (const line of others) {
        this.lineBreak();
        this.#collapsed(line);
      }
    }

    #collapsed(text) {
      const words = text.replace(COLLAPSING, " ");
      if (words.startsWith(" ")) this.#space = true;
      const rest = words.slice(words.startsWith(" ") ? 1 : 0);
      if (!rest) return;
      const endsInSpace = rest.endsWith(" ");
      this.#write(endsInSpace ? rest.slice(0, -1) : rest);
      this.#space = endsInSpace;
    }

    #write(text) {
      if (!text) return;
      const due = Math.max(0, this.#breaks - this.#ended);
      if (due) this.#pieces.push("\n".repeat(due));
      else if (this.#space && this.#ended === 0 && !this.isEmpty && !text.startsWith("\n")) this.#pieces.push(" ");
      this.#breaks = 0;
      this.#space = false;
      this.#pieces.push(text);
      this.#count(text);
    }

    #count(text) {
      let at = text.length;
      while (at > 0 && text[at - 1] === "\n") at -= 1;
      this.#ended = at === 0 ? this.#ended + text.length : text.length - at;
    }
  }

  return { Lines };
});
