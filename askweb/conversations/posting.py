"""Posting: an envelope becomes messages, raw context and a run, or nothing at all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.envelope import Turn as PostedTurn
from askweb.conversations.frames import announce, announce_on_feed, announce_run
from askweb.conversations.function_calls import from_openai
from askweb.conversations.models import TITLE_LENGTH, ContextItem, Conversation, Message, Posting
from askweb.conversations.packing import store_packed
from askweb.conversations.rendering import render
from askweb.conversations.verbatim import Placing, has_system, path_to, place, sent_verbatim
from askweb.errors import Problem, not_found
from askweb.providers.choosing import Choice, choose_model
from askweb.providers.history import repair_history
from askweb.runs.models import Run
from askweb.runs.starting import active_already, sent_so_far, start_run
from prompts.assembling import Turn, build_turn, finished_turn, posted_turn
from prompts.models import Tool
from prompts.shapes import SentMessage
from prompts.system import render_system
from prompts.variables import Asking

TOOL_OF_KIND = (("pageSearch", "find-on-page"), ("stackoverflow", "stack-overflow"), ("github", "github"))
DEFAULT_TOOL = "ask"


@dataclass(frozen=True)
class Posted:
    """What a post led to. `run` is None for an import that ends with an answer."""

    status: int
    conversation: Conversation
    message: Message | None
    run: Run | None


@dataclass(frozen=True)
class Page:
    title: str
    url: str


@dataclass(frozen=True)
class Stored:
    """The rows of a post's turns, in order."""

    rows: Sequence[Message]

    @property
    def of_person(self) -> Message | None:
        """The newest message of the person's."""
        return next((row for row in reversed(self.rows) if row.role == Message.Role.USER), None)


def post_conversation(person: User, envelope: Envelope) -> Posted:
    """Start a conversation with the envelope's messages."""

    def start() -> Posted:
        if envelope.meta.parent is not None:
            raise not_found()  # there is nothing to continue from in a conversation that is new
        conversation = Conversation(user=person, temporary=not envelope.meta.store)
        conversation.save(force_insert=True)
        posted = _verb(envelope)(person, conversation, None, envelope, status=201)
        announce_on_feed("conversation.created", conversation)
        return posted

    return _once(person, envelope.meta.client_id, start)


def post_message(person: User, conversation: Conversation, envelope: Envelope) -> Posted:
    """Add the envelope's messages below `meta.parent`, else below the conversation's head."""

    def add() -> Posted:
        held = _held(conversation)
        parent = _parent(held, envelope.meta.parent)
        posted = _verb(envelope)(person, held, parent, envelope, status=202)
        announce_on_feed("conversation.updated", held)
        return posted

    return _once(person, envelope.meta.client_id, add)


def _once(person: User, client_id: str | None, act: Callable[[], Posted]) -> Posted:
    """Do it in one transaction, once for each client id; the same id again gives what it led to."""
    if client_id is None:
        with transaction.atomic():
            return act()
    if (earlier := _earlier(person, client_id)) is not None:
        return earlier
    try:
        with transaction.atomic():
            posted = act()
            Posting.objects.create(
                user=person,
                client_id=client_id,
                status=posted.status,
                conversation=posted.conversation,
                message=posted.message,
                run=posted.run,
            )
            return posted
    except (IntegrityError, Problem):
        # The same post may have come twice at once: then the other one's success is this one's too.
        if (earlier := _earlier(person, client_id)) is not None:
            return earlier
        raise


def _earlier(person: User, client_id: str) -> Posted | None:
    posting = (
        person.postings.filter(client_id=client_id)
        .select_related("conversation", "message", "run__reply")
        .first()
    )
    if posting is None:
        return None
    return Posted(posting.status, posting.conversation, posting.message, posting.run)


def _held(conversation: Conversation) -> Conversation:
    """The conversation as it is now, kept from other posts until this one is stored."""
    held = Conversation.objects.select_for_update().filter(pk=conversation.pk).first()
    if held is None:
        raise not_found()
    if held.runs.active().exists():
        raise active_already()
    return held


def _parent(conversation: Conversation, wanted: str | None) -> Message | None:
    if wanted is None:
        return conversation.head
    try:
        return conversation.messages.get(pk=UUID(wanted))
    except (ValueError, Message.DoesNotExist) as error:
        raise not_found() from error


def _verb(envelope: Envelope) -> Callable[..., Posted]:
    return _post_exactly if envelope.exact else _post


def _post(
    person: User, conversation: Conversation, parent: Message | None, envelope: Envelope, *, status: int
) -> Posted:
    asked = _asked(envelope)
    tool = _tool(person, envelope) if asked and not envelope.meta.assembled else None
    asking = _asking(person, envelope, asked.content if asked else "", tool)
    _start_page(conversation, envelope, asking, _posted_system(envelope) or render_system(asking))
    stored = _store_turns(conversation, parent, envelope, asked, tool)
    run = None
    if asked is not None and stored.of_person is not None:
        choice = choose_model(person, provider=envelope.meta.provider, model=envelope.meta.model)
        turn = _turn(tool, asking, envelope)
        run = _run(conversation, stored.of_person, stored.rows[-1], choice, turn, envelope)
    _finish(conversation, stored.rows, run)
    return Posted(status, conversation, stored.of_person, run)


def _post_exactly(
    person: User, conversation: Conversation, parent: Message | None, envelope: Envelope, *, status: int
) -> Posted:
    """Run the messages as they came; only with a tool or context are the words of the asked one assembled."""
    placing = place(path_to(parent), envelope.messages)
    asked = _asked(envelope) or PostedTurn("user", "")
    tool = _tool(person, envelope) if _is_to_be_assembled(envelope) else None
    asking = _asking(person, envelope, asked.content, tool)
    turn = build_turn(tool, asking, envelope.context) if tool else posted_turn(asked.content)
    system = _posted_system(envelope) or (render_system(asking) if tool else "")
    _start_page(conversation, envelope, asking, system)
    new = replace(envelope, messages=placing.turns)
    to_store = asked if any(each is asked for each in placing.turns) else None
    stored = _store_turns(conversation, placing.parent, new, to_store, tool)
    message = stored.of_person or placing.last_of_person
    if message is None:
        raise RuntimeError("turns were placed without a question")
    sent = sent_verbatim(envelope.messages, asked, turn.text if tool else None)
    exactly = _below_history(conversation, placing, sent, tool)
    choice = choose_model(person, provider=envelope.meta.provider, model=envelope.meta.model)
    run = _run(conversation, message, stored.rows[-1], choice, turn, envelope, exactly)
    _finish(conversation, stored.rows, run)
    return Posted(status, conversation, message, run)


def _is_to_be_assembled(envelope: Envelope) -> bool:
    return not envelope.meta.assembled and bool(envelope.meta.tool or envelope.context)


def _below_history(
    conversation: Conversation, placing: Placing, sent: list[SentMessage], tool: Tool | None
) -> list[SentMessage]:
    """Put what was sent before in front of messages that are not the whole history themselves."""
    before = [] if placing.repeats else sent_so_far(placing.parent)
    messages = cast(list[SentMessage], repair_history([*before, *sent])) if before else sent
    if conversation.system and (tool or before) and not has_system(messages):
        return [{"role": "system", "content": conversation.system}, *messages]
    return messages


def _asked(envelope: Envelope) -> PostedTurn | None:
    """The turn that is to be answered: the newest of the person's; an empty one when only context came."""
    if envelope.is_import:
        return None
    users = [turn for turn in envelope.messages if turn.role == "user"]
    return users[-1] if users else PostedTurn("user", "")


def _asking(person: User, envelope: Envelope, text: str, tool: Tool | None) -> Asking:
    language = envelope.meta.language or (tool.language if tool else None)
    interface = get_language_info(get_language() or "en")["name_local"]
    return Asking(
        text=text,
        language=language or interface,
        language_chosen=language is not None,
        user_name=person.get_short_name() or person.get_username(),
        interface_language=interface,
        now=timezone.now(),
    )


def _tool(person: User, envelope: Envelope) -> Tool:
    wanted = envelope.meta.tool
    slug = wanted or _tool_for(envelope.context)
    tool = Tool.objects.named(person, slug)
    if tool is None and wanted is None:
        tool = Tool.objects.named(person, DEFAULT_TOOL)
    if tool is None:
        known = ", ".join(each.slug for each in Tool.objects.offered_to(person))
        message = _("There is no tool {slug}. There are: {known}.").format(slug=slug, known=known)
        raise Problem("tool.unknown", message)
    return tool


def _tool_for(items: Sequence[Item]) -> str:
    kinds = {item.kind for item in items}
    return next((slug for kind, slug in TOOL_OF_KIND if kind in kinds), DEFAULT_TOOL)


def _turn(tool: Tool | None, asking: Asking, envelope: Envelope) -> Turn:
    return build_turn(tool, asking, envelope.context) if tool else finished_turn(asking.text)


def _posted_system(envelope: Envelope) -> str:
    return "\n\n".join(turn.content for turn in envelope.messages if turn.role == "system")


def _start_page(conversation: Conversation, envelope: Envelope, asking: Asking, system: str) -> None:
    """What a new conversation takes from its first post: title, page, and the system message."""
    if conversation.head_id is not None:
        return
    page = _page(envelope.context)
    conversation.note_page(page.title, page.url)
    conversation.title = _title(asking.text, page.title, *(turn.content for turn in envelope.messages))
    conversation.system = system
    conversation.save(update_fields=["title", "system", "page_title", "page_url", "page_host"])


def _page(items: Sequence[Item]) -> Page:
    """The page that the items come from: what a page says of itself, else what the others say of theirs."""
    values = [item.value for item in sorted(items, key=lambda item: item.kind != "page")]
    return Page(
        next(_texts(values, "pageTitle", "title"), ""),
        next(_texts(values, "pageUrl", "url"), ""),
    )


def _texts(values: Sequence[Mapping[str, Any]], *names: str) -> Iterator[str]:
    for value in values:
        for name in names:
            if isinstance(text := value.get(name), str) and text.strip():
                yield text


def _title(*texts: str) -> str:
    words = next((found for text in texts if (found := " ".join(text.split()))), "")
    return words[:TITLE_LENGTH].rstrip() or _("New conversation")


def _store_turns(
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    asked: PostedTurn | None,
    tool: Tool | None,
) -> Stored:
    """Store the posted turns in a row, and the context with the newest of the person's, else with the last."""
    turns = [turn for turn in envelope.messages if turn.role != "system"]
    if asked is not None and not any(turn is asked for turn in turns):
        turns.append(asked)
    rows: list[Message] = []
    for turn in turns:
        above = rows[-1] if rows else parent
        rows.append(_message(conversation, above, turn, envelope, tool if turn is asked else None))
    stored = Stored(Message.objects.bulk_create(rows))
    holder = stored.of_person or (rows[-1] if rows else None)
    if holder is not None:
        store_packed(
            (ContextItem(message=holder, position=position, kind=item.kind), item.value)
            for position, item in enumerate(envelope.context)
        )
    return stored


def _message(
    conversation: Conversation,
    parent: Message | None,
    turn: PostedTurn,
    envelope: Envelope,
    tool: Tool | None,
) -> Message:
    return Message(
        conversation=conversation,
        parent=parent,
        role=turn.role,
        content=turn.content,
        html=render(turn.role, turn.content),
        tool=tool.slug if tool else None,
        function_calls=[from_openai(call) for call in turn.function_calls],
        tool_call_id=turn.tool_call_id,
        normalised=envelope.normalised,
    )


def _run(
    conversation: Conversation,
    message: Message,
    last: Message,
    choice: Choice,
    turn: Turn,
    envelope: Envelope,
    exactly: Sequence[SentMessage] | None = None,
) -> Run:
    return start_run(
        conversation=conversation,
        message=message,
        parent=last,
        choice=choice,
        turn=turn,
        options=_options(envelope),
        exactly=exactly,
    )


def _options(envelope: Envelope) -> dict[str, Any]:
    temperature = envelope.meta.temperature
    meant = {} if temperature is None else {"temperature": temperature}
    return {**meant, **envelope.options}


def _finish(conversation: Conversation, stored: Sequence[Message], run: Run | None) -> None:
    """The last message becomes the head, and whoever watches gets all that is new."""
    new = [*stored, run.reply] if run else list(stored)
    if new:
        conversation.head = new[-1]
        conversation.save(update_fields=["head"])
        announce("message.created", conversation.pk, new)
    if run is not None:
        announce_run(run)
