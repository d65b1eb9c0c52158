import { Problem } from "./problem.js";

const OWN = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i;

/** The server that was typed: scheme, host and port. Rejects what can't be one. */
export function readAddress(typed) {
  const text = typed.trim();
  const scheme = OWN.test(text) ? "http://" : "https://";
  const address = parse(withScheme(text, scheme));
  const isServer =
    !/\s/.test(text) && address && /^https?:$/.test(address.protocol) && address.hostname && !address.username;
  if (!text || !isServer) throw Problem.named("address");
  return address.origin;
}

function withScheme(text, scheme) {
  return text.includes("://") ? text : scheme + text;
}

/** `URL.parse` came with Chrome 126 only. */
function parse(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
