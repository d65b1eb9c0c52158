/** What went wrong, in words for the person. `code` is the server's or one of ours; `data` is what rides beside. */
export class Problem extends Error {
  constructor(code, message, { status = 0, data = {} } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }

  /** As it travels to a page of ours. */
  toJSON() {
    const { code, message, status, data } = this;
    return { code, message, status, data };
  }

  /** One of ours, by its name in `_locales`. */
  static named(code, ...filled) {
    return new Problem(code, chrome.i18n.getMessage(`problem_${code}`, filled));
  }
}

/** Anything that was thrown, as a problem. */
export function problemOf(thrown) {
  if (thrown instanceof Problem) return thrown;
  console.error(thrown);
  return Problem.named("fault");
}
