const WIDE = ".prose :is(pre, table, .math.display):not([tabindex])";

/** Make code, tables and formulas that scroll sideways stops of the Tab key, for browsers that don't by themselves. */
export function startWideBlocks() {
  document.addEventListener("keydown", ({ key }) => key === "Tab" && findStops(), { capture: true });
}

function findStops() {
  for (const block of document.querySelectorAll(WIDE)) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }
}
