const NEAR = 48; // pixels

/**
 * Keeps the newest in sight for whoever is at the end; whoever has scrolled up, or has the focus there, is left alone.
 * Returns what goes to the end all the same.
 */
export function stayAtEnd(scroller) {
  let isAtEnd = true;
  let last = 0;
  scroller.addEventListener("scroll", () => {
    const { scrollTop: top, scrollHeight, clientHeight } = scroller;
    if (scrollHeight - top - clientHeight < NEAR) isAtEnd = true;
    else if (top < last) isAtEnd = false; // what merely grew before this event came has not moved anybody
    last = top;
  });
  const goToEnd = () => scroller.scrollTo({ top: scroller.scrollHeight, behavior: "instant" });
  const follow = () => isAtEnd && !scroller.contains(document.activeElement) && goToEnd();
  const sizes = new ResizeObserver(follow);
  sizes.observe(scroller);
  for (const child of scroller.children) sizes.observe(child);
  return () => {
    isAtEnd = true;
    goToEnd();
  };
}
