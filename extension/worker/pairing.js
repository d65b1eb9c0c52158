import { readAddress } from "./address.js";
import { forget, keep, kept } from "./kept.js";
import { Problem } from "./problem.js";
import { request } from "./server.js";

const SCOPES = "ask read questions";

/** Have the person approve us in a window of Chrome's, and keep the token. Resolves to what the pages may know. */
export async function pair(typed) {
  const server = readAddress(typed);
  await greet(server);
  const wish = await newWish(server);
  const code = codeOf(await approved(server, wish.url), wish.state);
  const body = { code, code_verifier: wish.verifier, redirect_uri: wish.back };
  const { token, device, person } = await request(server, "POST", "/api/pairing/", { body });
  await keep("pairing", { server, token, device: device.id, person: person.name || person.username, revoked: false });
  return pairingState();
}

/** Forget the token, and have the server forget it, too. Rejects where it could not be told; here it is forgotten. */
export async function unpair() {
  const { server, token, device } = (await kept("pairing")) ?? {};
  await forget("pairing", "tools", "blocked");
  const problem =
    token && (await request(server, "DELETE", `/api/devices/${device}/`, { token }).catch((thrown) => thrown));
  if (problem?.code === "unreachable") throw Problem.named("still_known", server);
  return pairingState();
}

/** Everything but the token. */
export async function pairingState() {
  const { server, person, revoked } = (await kept("pairing")) ?? {};
  return {
    server: server ?? null,
    person: person ?? null,
    isPaired: Boolean(server) && !revoked,
    isRevoked: Boolean(revoked),
  };
}

/** A server of AskWeb says in its own way that a token is needed. */
async function greet(server) {
  const told = await request(server, "GET", "/api/devices/").catch((problem) => problem);
  if (told.code === "unreachable") throw told;
  if (told.code !== "auth.required") throw Problem.named("not_askweb", server);
}

/** What is asked for, and what must come back with the answer (PKCE, RFC 7636). */
export async function newWish(server) {
  const [verifier, state] = [randomText(), randomText()];
  const back = chrome.identity.getRedirectURL("paired");
  const query = {
    redirect_uri: back,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: "S256",
    state,
    name: deviceName(navigator.userAgentData?.platform),
    scopes: SCOPES,
  };
  return { verifier, state, back, url: `${server}/pair/?${new URLSearchParams(query)}` };
}

export async function challengeOf(verifier) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** The code in the address that Chrome came back to. */
export function codeOf(address, state) {
  const answer = new URL(address).searchParams;
  if (answer.get("state") !== state) throw Problem.named("pairing_state");
  if (answer.get("error")) throw Problem.named("pairing_cancelled");
  return answer.get("code");
}

/** Chrome says only in words whether the person closed the window, or it had nothing to show. */
async function approved(server, url) {
  try {
    return await chrome.identity.launchWebAuthFlow({ url, interactive: true });
  } catch (thrown) {
    if (/could not be loaded/.test(thrown.message)) throw Problem.named("unreachable", server);
    throw Problem.named("pairing_cancelled");
  }
}

function deviceName(platform) {
  return platform ? `Chrome (${platform})` : "Chrome";
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
