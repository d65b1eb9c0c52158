import { isComposing } from "./composing.js";

const TEXT = "textarea, input:not([type=radio], [type=checkbox], [type=file])";
const PRESSED = "button, a, summary, label, [type=file]";

/**
 * What a key inside a panel of questions asks for: { act: "collapse" | "submit" | "advance" }, { act: "toggle", index },
 * { act: "move", by }; null where it is the browser's, or text.
 */
export function actOf(event) {
  const { key, target } = event;
  if (isComposing(event)) return null;
  const isText = target.matches(TEXT);
  if (key === "Escape") return target.closest(".menu[open]") ? null : { act: "collapse" };
  if (key === "Enter") return enter(event, isText);
  if (isText || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (/^[1-9]$/.test(key)) return { act: "toggle", index: Number(key) - 1 };
  const by = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (by && target.matches("[type=checkbox][data-choice], [data-suggestion]")) return { act: "move", by };
  return null; // radios move with the arrows as they are
}

function enter({ ctrlKey, metaKey, target, repeat }, isText) {
  if (repeat) return { act: "nothing" };
  if (target.matches(PRESSED)) return null;
  if (ctrlKey || metaKey) return { act: "submit" };
  return isText ? null : { act: "advance" };
}
