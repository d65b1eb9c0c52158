import { word } from "askweb/page.js";

const PATIENCE = 30_000; // milliseconds

/** What went wrong, in words for the person. `code` is the server's, or "unreachable"; `data` is what rides beside. */
export class Problem extends Error {
  constructor(code, message, status = 0, data = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export async function get(url) {
  return readJSON(await send(url, { headers: { Accept: "application/json" } }));
}

export async function post(url, body = {}) {
  return sendJSON("POST", url, body);
}

export async function put(url, body) {
  return sendJSON("PUT", url, body);
}

export async function patch(url, body) {
  return sendJSON("PATCH", url, body);
}

export async function remove(url) {
  return readJSON(await send(url, { method: "DELETE", headers: { "X-CSRFToken": token() } }));
}

/** Post a file as one field of a form. */
export async function upload(url, name, file) {
  const body = new FormData();
  body.append(name, file);
  return readJSON(await send(url, { method: "POST", headers: { "X-CSRFToken": token() }, body }));
}

/** A page of ours, or a piece of one, as a document. */
export async function page(url) {
  return readPage(await send(url, {}));
}

/** The page that a form of ours leads to, as a document. */
export async function postForm(url, form) {
  return readPage(await send(url, { method: "POST", body: new FormData(form) }));
}

async function sendJSON(method, url, body) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token() };
  return readJSON(await send(url, { method, headers, body: JSON.stringify(body) }));
}

async function readPage(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

async function send(url, options) {
  let response;
  // What the API says is to be in the language of the page, whatever the browser's is.
  const headers = { "Accept-Language": document.documentElement.lang, ...options.headers };
  try {
    response = await fetch(url, { ...options, headers, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    throw new Problem("unreachable", word("unreachable"));
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function readJSON(response) {
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    throw new Problem("unreachable", word("unreachable"));
  }
}

export async function problemOf(response) {
  const { error, ...data } = await response.json().catch(() => ({}));
  const { status } = response;
  // A page that wants a sign-in redirects; `redirect: "manual"` shows that as status 0.
  if (status === 0 || status === 401 || error?.code === "forbidden") {
    return new Problem("signed_out", word("signed_out"), status);
  }
  if (!error && status === 413) return new Problem("body.too_large", word("too_large"), status);
  if (!error) return new Problem("server_failed", word("server_failed"), status);
  return new Problem(error.code, messageOf(error), status, data);
}

function messageOf({ message, fields }) {
  const faults = Object.entries(fields ?? {}).flatMap(([path, list]) =>
    list.map((fault) => `${path}: ${fault.message}`),
  );
  return [message, ...faults].join(" ");
}

/** What proves that a request comes from a page of ours. */
export function token() {
  return document.querySelector("[name=csrfmiddlewaretoken]").value;
}
