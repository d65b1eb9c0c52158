const NEAR = 48; // pixels

/**
 * Keeps the newest in sight for whoever is at the end; whoever has scrolled up, or has the focus there, is left alone.
 * Of `asked`, which comes last, the beginning stays in sight: a question is of no use without its words. Returns what
 * goes to the end all the same.
 */
export function stayAtEnd(scroller, asked) {
  let isAtEnd = true;
  let last = 0;
  scroller.addEventListener("scroll", () => {
    const { scrollTop: top, scrollHeight, clientHeight } = scroller;
    if (scrollHeight - top - clientHeight < NEAR) isAtEnd = true;
    else if (top < last) isAtEnd = false; // what merely grew before this event came has not moved anybody
    last = top;
  });
  const end = () => (asked.hidden ? scroller.scrollHeight : asked.offsetTop);
  const goToEnd = () => scroller.scrollTo({ top: end(), behavior: "instant" });
  const follow = () => isAtEnd && !scroller.contains(document.activeElement) && goToEnd();
  const sizes = new ResizeObserver(follow);
  sizes.observe(scroller);
  for (const child of scroller.children) sizes.observe(child);
  return () => {
    isAtEnd = true;
    goToEnd();
  };
}
