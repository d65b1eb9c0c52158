import { Problem } from "./problem.js";
import { paired } from "./server.js";

/** An image of the person's, as a `data:` URL: the pages of the extension may load nothing from elsewhere. */
export async function picture({ id }) {
  const { server, token } = await paired();
  const headers = { Authorization: `Bearer ${token}` };
  const options = { headers, credentials: "omit", cache: "no-store" };
  const response = await fetch(new URL(`/api/images/${id}/`, server), options).catch(() => null);
  if (!response?.ok) throw Problem.named("unreachable", server);
  return dataUrl(await response.blob());
}

function dataUrl(blob) {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
