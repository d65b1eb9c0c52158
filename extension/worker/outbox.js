import { forget, keep, kept, keptBelow, note } from "./kept.js";
import { Problem, problemOf } from "./problem.js";
import { call } from "./server.js";

/**
 * What is to be posted, kept until the server has it: { client_id, conversation or null, window, tab, made, server, envelope, problem, isRefused }.
 * The worker may die at any moment; whatever it was at is posted again, with the same `client_id`, and so counts once.
 */
const PREFIX = "outbox.";
const LATER = ["unreachable", "unpaired", "revoked", "run.active", "rate.limited", "database.unavailable", "fault"];
const ALONE = ["unpaired", "revoked"]; // what pairing mends, which delivers by itself
const AGAIN = 5_000; // milliseconds, while the worker lives; doubled each time
const LONGEST = 60_000;
const ALARM = "outbox"; // starts a worker that has died

let tell = () => {};
let timer = 0;
let tries = 0;

/** Let `listener` be told { posted, entry } and { unsent }. */
export function onPosted(listener) {
  tell = listener;
}

/** A second click, or a panel that did not hear, brings the same `client_id`: that is no second message. */
export async function post({ entry }) {
  const key = PREFIX + entry.client_id;
  if (!(await kept(key)))
    await keepOrRefuse(key, { ...entry, server: await pairedWith(), problem: null, isRefused: false });
  await tellUnsent();
  deliver();
}

/** What was written for one server goes to another only when the person says so, and begins a conversation there. */
async function forOurs(entry) {
  const server = await pairedWith();
  return isFor(entry, server) ? entry : { ...entry, server, conversation: null };
}

async function pairedWith() {
  return (await kept("pairing"))?.server ?? "";
}

/** One that was written before any pairing is for the first. */
function isFor(entry, server) {
  return !entry.server || !server || entry.server === server;
}

/** Chrome keeps 10 MB for an extension. */
async function keepOrRefuse(key, entry) {
  try {
    await keep(key, entry);
  } catch {
    throw Problem.named("outbox_full");
  }
}

/** One that is on the way, or is being taken out, needs no other try. */
export async function retry({ client_id: id }) {
  await navigator.locks.request(PREFIX + id, { ifAvailable: true }, async (lock) => {
    const entry = lock && (await kept(PREFIX + id));
    if (entry) await keep(PREFIX + id, { ...(await forOurs(entry)), problem: null, isRefused: false });
  });
  await tellUnsent();
  deliver();
}

/**
 * Take it out, to be edited; resolves to the entry, or to null where it is gone: sent meanwhile, or taken out by another
 * panel. One that is on the way is waited for, or it would be asked, and edited as well.
 */
export function withdraw({ client_id: id }) {
  return navigator.locks.request(PREFIX + id, async () => {
    const entry = await kept(PREFIX + id);
    await forget(PREFIX + id);
    await tellUnsent();
    return entry;
  });
}

async function unsent() {
  return Object.values(await keptBelow(PREFIX)).sort((one, other) => one.made - other.made);
}

/** Post what waits, oldest first. The alarm is set before, since the worker may die over it. */
export async function deliver() {
  clearTimeout(timer);
  const waiting = (await unsent()).filter(({ isRefused }) => !isRefused);
  if (waiting.length) await chrome.alarms.create(ALARM, { periodInMinutes: 1 });
  for (const { client_id: id } of waiting) {
    await navigator.locks.request(PREFIX + id, { ifAvailable: true }, (lock) => lock && deliverOne(id));
  }
  if (!(await unsent()).some(isForTheAlarm)) await chrome.alarms.clear(ALARM);
}

function isForTheAlarm({ isRefused, problem }) {
  return !isRefused && !ALONE.includes(problem?.code);
}

/** As it is kept now: while those before it were posted, it may have been taken out. */
async function deliverOne(id) {
  const entry = await kept(PREFIX + id);
  if (!entry || entry.isRefused) return;
  try {
    if (!isFor(entry, await pairedWith())) throw Problem.named("other_server", entry.server);
    const path = entry.conversation ? `/api/conversations/${entry.conversation}/messages/` : "/api/conversations/";
    const posted = await call("POST", path, entry.envelope);
    await note(`shown.${entry.window}`, { conversation: posted.conversation.id, tab: entry.tab });
    await forget(PREFIX + entry.client_id);
    tries = 0;
    const { client_id, window, conversation } = entry;
    tell({ posted, entry: { client_id, window, conversation } });
    await tellUnsent();
  } catch (thrown) {
    await hold(entry, problemOf(thrown));
  }
}

async function hold(entry, problem) {
  const isRefused = !LATER.includes(problem.code);
  await keep(PREFIX + entry.client_id, { ...entry, problem: problem.toJSON(), isRefused });
  await tellUnsent();
  if (!isRefused) again();
}

/** Over the ports alone, where what is told later comes later; without the contexts, which can be megabytes. */
export async function tellUnsent() {
  tell({ unsent: (await unsent()).map(withoutContext) });
}

function withoutContext({ envelope: { context: _, ...envelope }, ...entry }) {
  return { ...entry, envelope };
}

/** With jitter, so that a thousand clients don't all come back in the same moment. */
function again() {
  clearTimeout(timer);
  timer = setTimeout(deliver, Math.min(LONGEST, AGAIN * 2 ** tries++) * (0.5 + Math.random()));
}
