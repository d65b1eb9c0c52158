/** What one reading may take and give. Milliseconds of work, UTF-16 units of text. */
askwebPage.define("limits", () => ({
  SLICE: 25, // after which the page has its turn
  TIME: 3_000,
  AT_ONCE: 1_000, // in one go: a selection, and the search for a part
  ELEMENTS: 100_000, // that are looked at
  CONTENT: 1_000_000, // of visible text, and of a selection
  READABLE: { elements: 5_000, text: 400_000 }, // Readability can't be interrupted: above, all visible text is taken
  DEPTH: 100, // deeper elements of the copy are laid flat
  PARTS: 5_000,
  DIGEST: 120,
  PATH: { steps: 256, text: 1_000 }, // parts whose path is longer are left out
  TITLE: 1_000,
  URL: 8_000,
  ATTRIBUTE: 2_000, // longer ones aren't copied
  LEFT_OUT: 50, // frames and shadow roots that are named
}));
