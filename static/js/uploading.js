import { Problem, problemOf, token } from "askweb/api.js";
import { word } from "askweb/page.js";

/**
 * Store an image; resolves to what the server says of it, rejects with a `Problem`. `tell` gets the share that is
 * sent, from 0 to 1, which `fetch` can't say. `signal` ends it.
 */
export function uploadImage(file, { tell, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lose = () => reject(new Problem("unreachable", word("unreachable")));
    request.upload.addEventListener("progress", ({ loaded, total }) => tell(total ? loaded / total : 0));
    request.addEventListener("load", () => read(request).then(resolve, reject));
    for (const type of ["error", "abort", "timeout"]) request.addEventListener(type, lose);
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", "/api/images/");
    request.setRequestHeader("X-CSRFToken", token());
    request.setRequestHeader("Accept-Language", document.documentElement.lang);
    request.send(formOf(file));
  });
}

async function read({ status, responseText }) {
  const response = new Response(responseText, { status });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

function formOf(file) {
  const form = new FormData();
  form.append("image", file);
  return form;
}
