import { keep, kept } from "./kept.js";
import { Problem } from "./problem.js";

const PATIENCE = 30_000; // milliseconds

/** Call the API of the server that we are paired with. Resolves to what it answers; rejects with a `Problem`. */
export async function call(method, path, body) {
  const pairing = await paired();
  try {
    return await request(pairing.server, method, path, { body, token: pairing.token });
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    await keep("pairing", { ...pairing, revoked: true });
    throw Problem.named("revoked");
  }
}

/** What we are paired with. Rejects where that is nothing, or nothing any more. */
export async function paired() {
  const pairing = await kept("pairing");
  if (!pairing) throw Problem.named("unpaired");
  if (pairing.revoked) throw Problem.named("revoked");
  return pairing;
}

export async function request(server, method, path, { body, token } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await reach(server, path, { method, headers, body: body && JSON.stringify(body) });
  if (response.status === 204) return null;
  const told = await response.json().catch(() => null);
  if (response.ok && told) return told;
  throw refused(response.status, told, server);
}

/** Cookies are never sent: a token says who this is. */
async function reach(server, path, options) {
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    return await fetch(new URL(path, server), { ...options, signal, credentials: "omit", cache: "no-store" });
  } catch {
    throw Problem.named("unreachable", server);
  }
}

function refused(status, told, server) {
  if (!told?.error) return Problem.named(status >= 500 ? "unreachable" : "not_askweb", server);
  const { error, ...data } = told;
  if (status === 413) return Object.assign(Problem.named("too_big"), { status });
  return new Problem(error.code, error.message, { status, data });
}
