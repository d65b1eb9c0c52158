const NEAR = 48; // pixels

/** Keeps the newest in sight for whoever is at the end; whoever has scrolled up is left alone. */
export function stayAtEnd(scroller) {
  let isAtEnd = true;
  scroller.addEventListener("scroll", () => {
    isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
  });
  const follow = () => isAtEnd && scroller.scrollTo({ top: scroller.scrollHeight, behavior: "instant" });
  const sizes = new ResizeObserver(follow);
  sizes.observe(scroller);
  for (const child of scroller.children) sizes.observe(child);
}
