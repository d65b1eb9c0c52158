import { ask } from "../asking.js";
import { localise, words } from "../localise.js";
import { startFormulas } from "../shared/formulas.js";
import { startWideBlocks } from "../shared/wide_blocks.js";
import { Acting } from "./acting.js";
import { Chips } from "./chips.js";
import { Composer } from "./composer.js";
import { Earlier } from "./earlier.js";
import { stayAtEnd } from "./ending.js";
import { openLink } from "./links.js";
import { Notices } from "./notices.js";
import { Outcomes } from "./outcomes.js";
import { part } from "./page.js";
import { Port } from "./port.js";
import { Questions } from "./questions.js";
import { entryOf, Unsent } from "./sending.js";
import { Summaries } from "./summaries.js";
import { nameTools } from "./tool_names.js";
import { Transcript } from "./transcript.js";
import { Wishes } from "./wishes.js";

localise();
const { id: window } = await chrome.windows.getCurrent();
const spoken = (await (await fetch("/shared/words.json")).json())[chrome.i18n.getMessage("language")];
const port = new Port();
const notices = new Notices(part(document, "notices"));
const chips = new Chips(part(document, "along"), (problem) => notices.show("page", problem));
const transcript = new Transcript(port, part(document, "log"));
const summaries = new Summaries(part(document, "asked-first"));
const outcomes = new Outcomes();
const questions = new Questions(part(document, "questions"), { spoken, leave: () => composer.focus() });
const unsent = new Unsent(part(document, "unsent"), {
  edit: putBack,
  tell: (problem) => notices.show("sending", problem),
});
const composer = new Composer(part(document, "composer"), { send, stop, toolChosen });
new Earlier(part(document, "earlier"), {
  scroller: document.querySelector("main"),
  transcript,
  tell: (problem) => notices.show("earlier", problem),
});
new Acting(part(document, "log"), { transcript, composer, notices, expect, change });
const goToEnd = stayAtEnd(document.querySelector("main"), part(document, "questions"));
const wishes = new Wishes({ chips, composer, notices, leave: () => show(null), post });

transcript.addEventListener("running", ({ detail }) => running(detail));
transcript.addEventListener("pending", ({ detail }) => questions.sync(detail, transcript.conversation));
transcript.addEventListener("question", ({ detail }) => questions.take(detail));
transcript.addEventListener("question", ({ detail }) => summaries.take(detail.question_set));
transcript.addEventListener("shown", showSummaries);
transcript.addEventListener("shown", () => outcomes.show(transcript.messages));
transcript.addEventListener("read", () => summaries.renew(transcript).then(showSummaries, () => null));
transcript.addEventListener("gone", () => show(null));
port.addEventListener("awake", wake);
port.addEventListener("told", ({ detail }) => hear(detail));
part(document, "new").addEventListener("click", () => show(null));
part(document, "log").addEventListener("click", (event) => openLink(event, chips.tab, notices));
startFormulas();
startWideBlocks();
port.connect();

/** The worker is there, or there again: what it may have told meanwhile is asked anew. */
async function wake() {
  await showPairing();
  const [wish, last] = [await ask("wanted", { window }), await ask("shown", { window })];
  if (last && (!wish || wish.tab === last.tab)) show(last.conversation, last.tab);
  wishes.follow(wish);
  offer(await ask("tools"));
  await renewTools();
}

async function renewTools() {
  const found = await ask("renew-tools").catch((problem) => notices.show("server", problem));
  if (found) offer(found);
}

function offer(tools) {
  composer.offer(tools);
  nameTools(part(document, "log"), tools);
}

function hear(told) {
  if (told.wanted?.window === window) wishes.follow(told.wanted);
  if (told.problem) notices.show("server", told.problem);
  if (told.status === "open") for (const about of ["server", "acting", "earlier"]) notices.show(about, null);
  if (told.isTurned) wake().then(() => chips.read());
  if (told.unsent) unsent.show(told.unsent);
  if (told.posted) confirm(told);
}

/** What was asked in this window is shown, unless the person went to another conversation meanwhile. */
function confirm({ posted, entry }) {
  expect(posted);
  if (entry.window === window && entry.conversation === transcript.conversation) show(posted.conversation.id);
}

async function send({ text, tool }) {
  await post({ text, tool, context: await chips.fresh() });
}

/** The tool is what there is of a message that was asked at once. */
function putBack({ envelope }) {
  composer.choose(envelope.meta.tool ?? "");
  composer.compose(envelope.messages[0]?.content ?? "");
}

async function stop(run) {
  const problem = await ask("stop", { run }).then(
    () => null,
    (thrown) => thrown,
  );
  notices.show("acting", problem);
}

/** It is safe once the worker has kept it, which posts it whenever it starts. */
async function post(asked) {
  const entry = entryOf({ ...asked, conversation: transcript.conversation, window, tab: chips.tab });
  try {
    await ask("post", { entry });
    notices.show("sending", null);
  } catch (problem) {
    notices.show("sending", problem);
    throw problem;
  }
  goToEnd();
}

function show(conversation, tab = null) {
  const isOther = conversation !== transcript.conversation;
  for (const about of isOther ? ["acting", "earlier"] : []) notices.show(about, null);
  transcript.follow(conversation);
  ask("show", { window, conversation, tab: chips.tab ?? tab });
  showLink();
}

function running(run) {
  composer.running(run);
  part(document, "log").toggleAttribute("data-running", Boolean(run));
}

/** A run can be over before its first event could be heard. */
function expect(posted) {
  outcomes.expect(posted);
  outcomes.show(transcript.messages);
}

function change(id) {
  questions.change(summaries.find(id));
}

function showSummaries() {
  summaries.show(transcript);
}

async function showPairing() {
  const { isPaired, isRevoked } = await ask("pairing");
  if (isPaired) notices.show("server", null);
  else
    notices.show("server", {
      code: isRevoked ? "revoked" : "unpaired",
      message: words(isRevoked ? "problem_revoked" : "problem_unpaired"),
    });
  showLink();
}

async function showLink() {
  const { server } = await ask("pairing");
  const link = part(document, "link");
  link.hidden = !server;
  if (server) link.href = new URL(transcript.conversation ? `/conversations/${transcript.conversation}/` : "/", server);
}

function toolChosen(kinds) {
  chips.choose(kinds);
}
