import { word } from "/panel/page.js";

const UNSET = ".prose .math:not([data-formula])";
const LONGEST = 20_000; // characters of TeX: what is longer stays as it is written
const TURN = 12; // milliseconds, after which the page is drawn before the next formula
const OPTIONS = { throwOnError: true, strict: "ignore", trust: false, maxSize: 50, maxExpand: 1000 };

const look = new CSSStyleSheet();
let loading = null;

/** Set the page's formulas, and those that come into it later. KaTeX is loaded with the first one. */
export function startFormulas() {
  setIn(document.body);
  new MutationObserver(follow).observe(document.body, { childList: true, subtree: true });
}

function follow(records) {
  for (const { addedNodes } of records) {
    for (const node of addedNodes) if (node instanceof Element && node.isConnected) setIn(node);
  }
}

function setIn(root) {
  const found = [...root.querySelectorAll(UNSET)];
  if (root.matches(UNSET)) found.push(root);
  for (const formula of found) formula.dataset.formula = "waiting";
  if (found.length) setAll(found);
}

async function setAll(formulas) {
  const katex = await load();
  let start = performance.now();
  for (const formula of formulas) {
    if (performance.now() - start > TURN) {
      await new Promise(setTimeout);
      start = performance.now();
    }
    if (katex) set(formula, katex);
  }
}

/** Where it can't be loaded, formulas stay as they are written. */
async function load() {
  loading ??= Promise.all([import("/shared/vendor/katex/katex.min.js"), style()]).then(
    () => globalThis.katex, // which it makes of itself: it is no module
    () => null,
  );
  return loading;
}

/** Fonts belong to the document; all other rules are for the glyphs alone, where `look` takes them. */
async function style() {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = import.meta.resolve("/shared/vendor/katex/katex.min.css");
  const loaded = new Promise((resolve, reject) => Object.assign(link, { onload: resolve, onerror: reject }));
  document.head.append(link);
  await loaded;
  const rules = [...link.sheet.cssRules].filter((rule) => !(rule instanceof CSSFontFaceRule));
  look.replaceSync([...rules.map((rule) => rule.cssText), ".katex-display { margin-block: 0.3em }"].join("\n"));
}

function set(formula, katex) {
  const tex = formula.textContent;
  const displayMode = formula.classList.contains("display");
  try {
    if (tex.length > LONGEST) throw new RangeError(word("formula_long"));
    const tree = katex.__renderToDomTree(tex, { ...OPTIONS, displayMode });
    styleByScript(tree);
    formula.replaceChildren(source(displayMode ? `$$${tex}$$` : `$${tex}$`), glyphs(tree.toNode()));
    formula.dataset.formula = "set";
  } catch (error) {
    formula.title = word("formula_broken").replace("{why}", () => error.rawMessage ?? error.message);
    formula.dataset.formula = "broken";
  }
}

/** Apart from the text around them, so that they aren't copied: each would be a line. MathML is in there, too. */
function glyphs(node) {
  const element = document.createElement("span");
  const root = element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [look];
  root.append(node);
  return element;
}

/** What is copied instead. Screen readers have the MathML. */
function source(text) {
  const element = document.createElement("span");
  element.className = "math__source";
  element.ariaHidden = "true";
  element.textContent = text;
  return element;
}

/** KaTeX sets some `style` attributes, which our policy refuses; as properties it allows the same. */
function styleByScript(node) {
  for (const child of node.children ?? []) styleByScript(child);
  const { style, ...others } = node.attributes ?? {};
  if (!style) return;
  const { toNode } = node;
  node.attributes = others;
  node.toNode = () => {
    const made = toNode.call(node);
    made.style.cssText = style;
    return made;
  };
}
