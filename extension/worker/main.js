/** All listeners, at once: Chrome starts the worker for one event, and tells it only to who listens by then. */
import { hear } from "./acts.js";

chrome.runtime.onMessage.addListener(hear);
