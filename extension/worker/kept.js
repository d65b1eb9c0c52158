/** What is kept between the worker's lives. No script of a page may read it. */

const { local, session } = chrome.storage;
const guarded = Promise.all([local, session].map((area) => area.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" })));

export async function kept(key) {
  await guarded;
  return (await local.get(key))[key] ?? null;
}

/** Everything whose key begins so, by key. */
export async function keptBelow(prefix) {
  await guarded;
  const all = Object.entries(await local.get(null));
  return Object.fromEntries(all.filter(([key]) => key.startsWith(prefix)));
}

export async function keep(key, value) {
  await guarded;
  await local.set({ [key]: value });
}

export async function forget(...keys) {
  await local.remove(keys);
}

/** Until the browser is closed. */
export async function noted(key) {
  await guarded;
  return (await session.get(key))[key] ?? null;
}

export async function note(key, value) {
  await guarded;
  await session.set({ [key]: value });
}
