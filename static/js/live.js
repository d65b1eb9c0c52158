import { socket } from "askweb/socket.js";

/** Whether what happens in this conversation shows without a reload. Where not, forms are sent as they are. */
export function isLive() {
  return socket.isOpen && document.querySelector("live-transcript[data-live]") !== null;
}

/** Let the composer, which is always in sight, say what went wrong. */
export function tellProblem(problem) {
  document.dispatchEvent(new CustomEvent("askweb:problem", { detail: problem }));
}
