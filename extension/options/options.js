import { ask } from "../asking.js";
import { localise, words } from "../localise.js";

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const address = document.getElementById("address");

localise();
show(await ask("pairing"));
part("form").addEventListener("submit", (event) => {
  event.preventDefault();
  act(words("pairing"), "pair", { address: address.value });
});
part("unpair").addEventListener("click", () => act("", "unpair"));

async function act(doing, name, more) {
  part("problem").replaceChildren();
  part("state").textContent = doing;
  part("pair").disabled = part("unpair").disabled = true;
  try {
    show(await ask(name, more));
  } catch (problem) {
    show(await ask("pairing"));
    tell(problem.message);
  } finally {
    part("pair").disabled = part("unpair").disabled = false;
  }
}

function show({ server, person, isPaired, isRevoked }) {
  if (server) address.value = server;
  part("state").textContent = isPaired
    ? words("paired_as", server, person)
    : isRevoked
      ? words("is_revoked", server)
      : words("not_paired");
  part("pair").textContent = words(server ? "pair_again" : "pair");
  part("unpair").hidden = !server;
}

function tell(text) {
  const notice = document.createElement("p");
  notice.className = "notice notice--error";
  notice.textContent = text;
  part("problem").append(notice);
}
