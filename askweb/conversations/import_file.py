"""Reading an exported conversation: every fault is told by its path, before anything is stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Item
from askweb.conversations.export_json import FORMAT, VERSION
from askweb.conversations.models import Message
from askweb.conversations.object_reader import ObjectReader
from askweb.conversations.posted import HowPosted
from askweb.errors import FieldFault, invalid
from askweb.images.importing import ImportedImage, read_images
from questions.import_file import ImportedQuestionSet, read_question_sets

TITLE_LIMIT = 200
TOOL_LIMIT = 100
ROLES = tuple(Message.Role.values)
STATES = tuple(Message.State.values)


@dataclass(frozen=True)
class ImportedMessage:
    """`id` and `parent` are those of the file."""

    id: str
    parent: str | None
    role: str
    content: str
    reasoning: str
    state: str
    tool: str | None
    function_calls: list[Any]
    tool_call_id: str
    citations: list[Any]
    images: list[str]
    posted: HowPosted | None
    normalised: bool
    created: datetime
    updated: datetime
    context: tuple[Item, ...]


@dataclass(frozen=True)
class ImportedConversation:
    title: str
    titled: bool
    created: datetime
    updated: datetime
    pinned: bool
    archived: bool
    system: str
    page_title: str
    page_url: str
    head: str | None
    messages: tuple[ImportedMessage, ...]
    question_sets: tuple[ImportedQuestionSet, ...]
    images: tuple[ImportedImage, ...]

    @property
    def named_images(self) -> Iterator[str]:
        """The ids of the file's images that messages and answers have."""
        for message in self.messages:
            yield from message.images
        for asked in self.question_sets:
            yield from asked.row.images


def read_file(data: Any, person: User) -> ImportedConversation:
    """Return what the file holds; raise a 422 `Problem` that lists every fault by its path."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT or data.get("version") != VERSION:
        expected = _("Must be a file of the format {format}, version {version}.")
        message = expected.format(format=FORMAT, version=VERSION)
        raise invalid({"format": [FieldFault(code="unknown", message=message)]})
    file = ObjectReader(data)
    conversation = _conversation(file, person)
    if file.faults:
        raise invalid(file.faults)
    return conversation


def _conversation(file: ObjectReader, person: User) -> ImportedConversation:
    fields = file.object("conversation")
    page = fields.object("page")
    messages = tuple(_messages(file))
    ids = {message.id for message in messages}
    return ImportedConversation(
        title=fields.text("title", limit=TITLE_LIMIT),
        titled=fields.flag("titled"),
        created=fields.time("created"),
        updated=fields.time("updated"),
        pinned=fields.flag("pinned"),
        archived=fields.flag("archived"),
        system=fields.text("system"),
        page_title=page.text("title"),
        page_url=page.text("url"),
        head=_known(fields, "head", ids),
        messages=messages,
        question_sets=tuple(read_question_sets(file, ids)),
        images=tuple(read_images(file, person)),
    )


def _messages(file: ObjectReader) -> Iterator[ImportedMessage]:
    known: set[str] = set()
    for fields in file.objects("messages"):
        message = _message(fields, known)
        if message.id in known:
            fields.fault("id", "duplicate", _("Is another message's, too."))
        known.add(message.id)
        yield message


def _message(fields: ObjectReader, known: set[str]) -> ImportedMessage:
    return ImportedMessage(
        id=fields.text("id", required=True),
        parent=_known(fields, "parent", known),
        role=fields.one_of("role", ROLES),
        content=fields.text("content", required=True),
        reasoning=fields.text("reasoning"),
        state=fields.one_of("state", STATES, default=Message.State.COMPLETE),
        tool=fields.text_or_none("tool", limit=TOOL_LIMIT),
        function_calls=[_function_call(each) for each in fields.objects("function_calls")],
        tool_call_id=fields.text("tool_call_id"),
        citations=[_citation(each) for each in fields.objects("citations")],
        images=fields.uuids("images"),
        posted=_posted(fields),
        normalised=fields.flag("normalised") or fields.normalised,
        created=fields.time("created"),
        updated=fields.time("updated"),
        context=tuple(_item(each) for each in fields.objects("context")),
    )


def _posted(fields: ObjectReader) -> HowPosted | None:
    if fields.data.get("posted") is None:
        return None
    posted = fields.object("posted")
    return {
        "language": posted.text_or_none("language"),
        "provider": posted.text_or_none("provider"),
        "model": posted.text_or_none("model"),
        "temperature": posted.number_or_none("temperature"),
        "exact": posted.flag("exact"),
    }


def _known(fields: ObjectReader, name: str, known: set[str]) -> str | None:
    """The id of a message that came before, which is why there are no circles."""
    id_ = fields.text_or_none(name)
    if id_ is not None and id_ not in known:
        fields.fault(name, "unknown", _("Must be the id of a message that comes before, or null."))
    return id_


def _function_call(fields: ObjectReader) -> dict[str, Any]:
    for name in ("id", "name", "raw"):
        fields.text(name, required=True)
    fields.object("arguments")
    fields.text_or_none("result")
    return {
        **fields.data,
        "arguments": fields.data.get("arguments") or {},
        "result": fields.data.get("result"),
    }


def _citation(fields: ObjectReader) -> dict[str, Any]:
    for name in ("xpath", "digest"):
        fields.text(name, required=True)
    if type(fields.data.get("n")) is not int:
        fields.fault("n", "wrong_type", _("Must be a whole number."))
    return dict(fields.data)


def _item(fields: ObjectReader) -> Item:
    named = "agentId" if fields.data.get("id") is None and "agentId" in fields.data else "id"
    return Item(fields.text(named, required=True), dict(fields.data))
