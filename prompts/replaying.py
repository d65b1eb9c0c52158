"""Replay: what stored messages would be sent as with another text of the template, beside what was sent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import get_language, override

from askweb.accounts.models import User
from askweb.conversations.envelope import Item
from askweb.conversations.forms import answer_languages
from askweb.conversations.models import Message
from askweb.conversations.planning import turn_maker
from askweb.errors import Problem
from askweb.runs.models import Asking, Run
from askweb.runs.sending import turns_of
from prompts.assembling import assemble_within
from prompts.budgeting import Budget, budget_of
from prompts.contexts import TryOut, may_view_others, tried_out
from prompts.differing import Row, compare
from prompts.handlebars import TemplateError
from prompts.models import Assembly, ContextLook, TemplateVersion, Tool
from prompts.previewing import as_published, asking_for, render_published
from prompts.probing import changed, texts_in
from prompts.shapes import AssemblyShape, SentMessage
from questions.offering import with_shipped_ask_user

MOST = 50
MOST_ROWS = 80
"""Of one message that are shown."""
MOST_LOOKED_AT = 20_000
"""Characters of a prompt in which the name of its language is looked for."""
LONG = 200
MARK = "\ue000"


@dataclass(frozen=True)
class Sent:
    """What was sent for a message."""

    run: Run
    shape: AssemblyShape

    @property
    def turns(self) -> Sequence[SentMessage]:
        return turns_of(self.shape)

    @property
    def text(self) -> str:
        """The person's turn, the last one of a user."""
        return last_text(self.turns)

    @property
    def version(self) -> int:
        return self.shape["template_version"] or 0

    def budget(self) -> Budget:
        """That of the model which answered."""
        provider, options = self.run.provider, self.run.options
        if self.run.asking == Asking.OFFERED:
            options = with_shipped_ask_user(options)
        return budget_of(provider, self.run.model, options) if provider else Budget()


@dataclass(frozen=True)
class Prompt:
    """A user turn as text, with its size in characters and the estimate of its tokens."""

    text: str
    size: int
    tokens: int


@dataclass(frozen=True)
class Replayed:
    """One message: what was sent, and what would be. `new` is None where `problem` says why."""

    message: Message
    version: int
    old: Prompt
    new: Prompt | None
    rows: Sequence[Row]
    problem: Problem | None = None
    more_rows: int = 0


@dataclass(frozen=True)
class Replayer:
    """Makes prompts of stored messages anew. `texts` are those of the versions that were used, by number."""

    tool: Tool
    source: str
    texts: Mapping[int, str]

    def assembly(self, message: Message, sent: Sent) -> AssemblyShape:
        """What would be sent, with the same history and for the same model. Raises what posting raises."""
        language, interface = self._languages(message, sent)
        return self._assembly(self.source, message, sent, language, interface)

    def _assembly(
        self, source: str, message: Message, sent: Sent, language: str, interface: str
    ) -> AssemblyShape:
        tried = replace(tried_out(message), language=language)
        budget, turns = sent.budget(), sent.turns
        history = turns[: last_of_user(turns)]
        with as_published(self.tool, source) as trial, override(interface):
            asking = asking_for(message.conversation.user, trial, tried)
            make = turn_maker(trial, asking, tried.items, budget)
            return assemble_within(budget, "", history, make)

    def _languages(self, message: Message, sent: Sent) -> tuple[str, str]:
        """The language that was asked for, and the code of the interface's.

        They are not stored with a message, so they are those in which the old template's own words stand in
        what was sent; where none fits, those of the person who looks.
        """
        own = get_language() or "en"
        earlier = self.texts.get(sent.version)
        if earlier is None:
            return "", own
        marked = _marked(tried_out(message))
        fitting = (
            (language, interface)
            for language, interface in _candidates(own, sent)
            if self._fits(earlier, message, replace(marked, language=language), interface, sent)
        )
        return next(fitting, ("", own))

    def _fits(self, source: str, message: Message, marked: TryOut, interface: str, sent: Sent) -> bool:
        with as_published(self.tool, source) as trial, override(interface):
            asking = asking_for(message.conversation.user, trial, marked)
            try:
                text = render_published(trial, asking, marked.items)
            except TemplateError:
                return False
        lines = (line.strip() for line in text.replace(MARK, "\n").split("\n"))
        return all(line in sent.text for line in lines)


def replay(
    person: User, tool: Tool, source: str, *, most: int = 20, everyone: bool = False
) -> list[Replayed]:
    """Replay the newest messages that used the tool: the person's own, or anybody's with the permission.

    Looks at other people's messages are logged.
    """
    messages = list(that_used(tool, person, everyone=everyone)[:most])
    ContextLook.objects.note(person, messages)
    sent = sent_for(messages)
    replayer = Replayer(tool, source, texts_of(tool, sent.values()))
    return [_replayed(replayer, each, sent[each.pk]) for each in messages if each.pk in sent]


def that_used(tool: Tool, person: User, *, everyone: bool) -> QuerySet[Message]:
    """Newest first. A message names its tool by slug, so those of people who have their own are left out."""
    used = Message.objects.filter(role=Message.Role.USER, tool=tool.slug, conversation__temporary=False)
    if tool.owner_id is not None:
        used = used.filter(conversation__user=tool.owner_id)
    else:
        own = Tool.objects.filter(slug=tool.slug, owner__isnull=False, published__isnull=False)
        used = used.exclude(conversation__user__in=own.values("owner"))
    if not (everyone and may_view_others(person)):
        used = used.filter(conversation__user=person)
    found = used.select_related("conversation__user").newest_first()
    return found.prefetch_related("context_items__contents")


def sent_for(messages: Sequence[Message]) -> dict[UUID, Sent]:
    """What was sent for each message, the last time."""
    rows = Assembly.objects.filter(run__message__in=messages).select_related("run__provider").order_by("pk")
    return {row.run.message_id: Sent(row.run, row.shape()) for row in rows.prefetch_related("contents")}


def texts_of(tool: Tool, sent: Iterable[Sent]) -> dict[int, str]:
    """The template texts that were used, by version."""
    versions = TemplateVersion.objects.filter(tool=tool, number__in={each.version for each in sent})
    return dict(versions.values_list("number", "source"))


def _replayed(replayer: Replayer, message: Message, sent: Sent) -> Replayed:
    old = _prompt(sent.text, sent)
    try:
        new = _prompt(last_text(replayer.assembly(message, sent)["messages"]), sent)
    except Problem as problem:
        return Replayed(message, sent.version, old, None, [], problem)
    rows = compare(old.text, new.text)
    more = max(len(rows) - MOST_ROWS, 0)
    return Replayed(message, sent.version, old, new, rows[:MOST_ROWS], more_rows=more)


def _prompt(text: str, sent: Sent) -> Prompt:
    return Prompt(text, len(text), sent.budget().estimator.tokens(text))


def _marked(tried: TryOut) -> TryOut:
    """With a mark in the place of each long text, so that a template renders in no time."""
    items = [
        Item(
            item.kind,
            changed(item.value, {path: MARK for path, text in texts_in(item.value) if len(text) > LONG}),
        )
        for item in tried.items
    ]
    return replace(tried, items=items)


def _candidates(own: str, sent: Sent) -> Iterator[tuple[str, str]]:
    told = sent.text[:MOST_LOOKED_AT] + "".join(map(text_of, sent.turns[:1]))
    named = ["", *(each for each in answer_languages() if each in told)]
    interfaces = sorted((code for code, _name in settings.LANGUAGES), key=lambda code: code != own)
    return ((language, interface) for interface in interfaces for language in named)


def last_text(turns: Sequence[SentMessage]) -> str:
    at = last_of_user(turns)
    return text_of(turns[at]) if at < len(turns) else ""


def last_of_user(turns: Sequence[SentMessage]) -> int:
    return next((at for at in reversed(range(len(turns))) if turns[at]["role"] == "user"), len(turns))


def text_of(message: SentMessage) -> str:
    content = message.get("content")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "\n".join(text for text in texts if isinstance(text, str))
    return content or ""
