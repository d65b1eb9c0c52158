/** From a path and a digest back to the element, also after the page changed. */
askwebPage.define("resolving", ({ dom, limits, cutting, walk, parts, following, likeness }) => {
  const EDITED = 0.6; // as like as this is the same text, at the same place
  const ELSEWHERE = 0.8;
  const BEGINNING = 2_000;

  /** `{element, isMoved}`: moved means that it was found by its text alone. Null where it is gone. */
  function locate(xpath, digest) {
    const there = following.follow(String(xpath));
    const wanted = cutting.oneLine(digest ?? "");
    if (!wanted) return there && { element: there, isMoved: false };
    if (there && isShown(there) && begins(there, wanted)) return { element: there, isMoved: false };
    return among(partsNow(), there, wanted, String(xpath));
  }

  function isShown(element) {
    const { width, height } = dom.rect(element);
    return width > 0 && height > 0;
  }

  function resolve(xpath, digest) {
    return locate(xpath, digest)?.element ?? null;
  }

  /** What is no part of its own may still begin with the text. */
  function begins(element, wanted) {
    return cutting.oneLine(dom.text(element).slice(0, BEGINNING)).startsWith(wanted);
  }

  function among(list, there, wanted, xpath) {
    const here = list.find(({ element }) => element === there);
    if (here?.digest === wanted) return { element: there, isMoved: false };
    const same = list.filter(({ digest }) => digest === wanted);
    if (same.length > 0) return { element: nearest(same, xpath).element, isMoved: true };
    const like = likeness.to(wanted);
    if (here && like(here.digest) >= EDITED) return { element: there, isMoved: false };
    const [best] = list.map((part) => ({ part, score: like(part.digest) })).sort((a, b) => b.score - a.score);
    return best?.score >= ELSEWHERE ? { element: best.part.element, isMoved: true } : null;
  }

  function partsNow() {
    const found = new parts.Parts();
    new walk.Walk(document, [found]).run(limits.AT_ONCE);
    return found.list();
  }

  /** Of parts with the same text, the one whose path has most in common. */
  function nearest(list, xpath) {
    const common = ({ xpath: other }) => {
      let length = 0;
      while (length < xpath.length && xpath[length] === other[length]) length += 1;
      return length;
    };
    return list.reduce((best, each) => (common(each) > common(best) ? each : best));
  }

  return { locate, resolve, isShown };
});
