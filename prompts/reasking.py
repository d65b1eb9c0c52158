"""Asking stored messages again with another prompt, to compare the answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, read_envelope
from askweb.conversations.models import Message
from askweb.conversations.planning import means_for
from askweb.conversations.posting import post_conversation
from askweb.conversations.rendering import render_reply
from askweb.errors import Problem
from askweb.runs.models import Run
from prompts.contexts import may_view_others
from prompts.models import ContextLook, Tool
from prompts.replaying import Replayer, sent_for, text_of, texts_of, that_used
from prompts.shapes import AssemblyShape

MOST_ASKED = 3
ASKED_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True)
class Answer:
    """A reply as HTML, who wrote it, and where to read it."""

    html: str
    model: str
    state: str
    conversation: UUID

    @property
    def is_waiting(self) -> bool:
        return self.state == Message.State.STREAMING


@dataclass(frozen=True)
class Compared:
    """The stored answer beside the new one. Each may be missing: never written, or deleted meanwhile."""

    message: Message
    old: Answer | None
    new: Answer | None


def ask_again(person: User, tool: Tool, source: str, chosen: Iterable[str], nonce: str) -> dict[UUID, UUID]:
    """Send a few messages with the new prompt, each in a temporary conversation of the person's.

    Return the new conversation by message. The system message and the history are those that were sent. The
    same nonce again sends nothing more. Raises a `Problem` as posting does.
    """
    ids = _ids(chosen)[:MOST_ASKED]
    if not ids:
        raise Problem("replay.none", _("Choose the questions that are to be asked again."))
    messages = list(that_used(tool, person, everyone=True).filter(pk__in=ids))
    ContextLook.objects.note(person, messages)
    sent = sent_for(messages)
    replayer = Replayer(tool, source, texts_of(tool, sent.values()))
    begun: dict[UUID, UUID] = {}
    for message in (each for each in messages if each.pk in sent):
        assembly = replayer.assembly(message, sent[message.pk])
        begun[message.pk] = _post(person, tool, assembly, f"replay:{nonce}:{message.pk}")
    return begun


def answers_begun(person: User, begun: str) -> list[Compared]:
    """The answers that `message:conversation,…` names, as far as they are written."""
    pairs = (_ids(pair.split(":")) for pair in begun.split(",")[:MOST_ASKED])
    wanted = {pair[0]: pair[1] for pair in pairs if len(pair) == 2}
    seen = Q() if may_view_others(person) else Q(conversation__user=person)
    messages = Message.objects.filter(seen, pk__in=wanted).select_related("conversation__user").newest_first()
    found = list(messages)
    ContextLook.objects.note(person, found)
    runs = Run.objects.filter(
        Q(message__in=found) | Q(conversation__in=wanted.values(), conversation__user=person)
    )
    rows = list(runs.select_related("reply").prefetch_related("reply__chunks").order_by("created"))
    old = {run.message_id: _answer(run) for run in rows}
    new = {run.conversation_id: _answer(run) for run in rows}
    return [Compared(each, old.get(each.pk), new.get(wanted[each.pk])) for each in found]


def _post(person: User, tool: Tool, assembly: AssemblyShape, client_id: str) -> UUID:
    """Function calls and their results are left out: nobody waits for them here."""
    choice = means_for(person, Envelope(), tool).choice
    meta = {"assembled": True, "store": False, "client_id": client_id}
    meta |= {"provider": str(choice.provider.pk), "model": choice.model or None}
    messages = [
        {"role": each["role"], "content": text_of(each)}
        for each in assembly["messages"]
        if each["role"] in ASKED_ROLES and text_of(each)
    ]
    return post_conversation(person, read_envelope({"meta": meta, "messages": messages})).conversation.pk


def _answer(run: Run) -> Answer:
    text, _reasoning = run.reply.text_so_far()
    html = run.reply.html or render_reply(text)
    return Answer(html, run.model, run.reply.state, run.conversation_id)


def _ids(texts: Iterable[str]) -> list[UUID]:
    found: list[UUID] = []
    for text in texts:
        try:
            found.append(UUID(text))
        except ValueError:
            continue
    return list(dict.fromkeys(found))
