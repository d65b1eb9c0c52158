import { ask } from "../asking.js";
import { words } from "../localise.js";

/** The switch of the button on code blocks. Chrome asks the person for the pages in this click alone, and only for on. */
const { optional_host_permissions: origins } = chrome.runtime.getManifest();
const box = document.querySelector("[data-part=code-button]");
const problem = document.querySelector("[data-part=code-button-problem]");

box.checked = await ask("code-button");
box.disabled = false;
box.addEventListener("change", turn);
chrome.permissions.onRemoved.addListener(async () => {
  box.checked = await ask("code-button");
});

async function turn() {
  const isOn = box.checked;
  const isGranted = isOn ? chrome.permissions.request({ origins }).catch(() => false) : true;
  box.disabled = true;
  problem.replaceChildren();
  if (!(await isGranted)) tell(words("code_button_refused"));
  else await ask("turn-code-button", { isOn }).catch(({ message }) => tell(message));
  box.checked = await ask("code-button");
  box.disabled = false;
  box.focus();
}

function tell(text) {
  const notice = document.createElement("p");
  notice.className = "notice notice--error";
  notice.role = "alert";
  notice.textContent = text;
  problem.append(notice);
}
