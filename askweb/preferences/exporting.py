"""Everything of a person as one zip, written while it is sent. Keys are in none of its files."""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.export_json import json_pieces
from askweb.conversations.exporting import file_name
from askweb.conversations.models import Conversation
from askweb.preferences.changing import settings_shape
from askweb.providers.shapes import provider_shape
from prompts.exporting import write_tools
from prompts.models import Snippet, Tool
from questions.remembering import remembered_shape
from questions.set_shapes import question_set_shape

PIECE = 64 * 1024
ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}


class _Outbox:
    """A file that can't be sought in: what is written is taken away and sent."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def write(self, data: bytes, /) -> int:
        self._pieces.append(bytes(data))
        self._size += len(data)
        return len(data)

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def take(self, least: int = 0) -> bytes:
        """What was written since, once it is `least` bytes; else nothing."""
        if self._size < least:
            return b""
        taken, self._pieces, self._size = b"".join(self._pieces), [], 0
        return taken


def zip_pieces(person: User) -> Iterator[bytes]:
    """Yield the zip, some `PIECE` bytes at a time; of the conversations one message is in memory."""
    outbox = _Outbox()
    with ZipFile(outbox, "w", ZIP_DEFLATED) as archive:
        for name, pieces in _files(person):
            with archive.open(name, "w", force_zip64=True) as file:
                for piece in pieces:
                    file.write(piece if isinstance(piece, bytes) else piece.encode())
                    if ready := outbox.take(PIECE):
                        yield ready
    yield outbox.take()


def _files(person: User) -> Iterator[tuple[str, Iterable[str | bytes]]]:
    yield "settings.json", [_json(_settings(person))]
    yield "tools.toml", [write_tools(Tool.objects.filter(owner=person).select_related("published"))]
    yield "snippets.json", [_json(dict(Snippet.objects.filter(owner=person).values_list("name", "source")))]
    yield "questions.json", _question_sets(person)
    for id_ in list(person.conversations.order_by("id").values_list("pk", flat=True)):
        conversation = person.conversations.filter(pk=id_).first()
        if conversation is not None:
            yield f"conversations/{_name(conversation)}", json_pieces(conversation)
    for id_, media_type in list(person.images.order_by("id").values_list("pk", "media_type")):
        yield f"images/{id_}.{ENDINGS.get(media_type, 'bin')}", _image(person, id_)


def _settings(person: User) -> dict[str, Any]:
    return {
        "format": "askweb.settings",
        "version": 1,
        "exported": timezone.now().isoformat(),
        "name": person.get_username(),
        "settings": settings_shape(person),
        "initial_message": person.initial_message,
        "providers": [_provider(each, person) for each in person.providers.order_by("created")],
        "remembered_answers": [
            remembered_shape(each) for each in person.remembered_answers.order_by("created")
        ],
        "devices": list(person.devices.order_by("created").values("name", "scopes", "created", "last_used")),
    }


def _provider(provider: Any, person: User) -> dict[str, Any]:
    """Headers may be keys by another name, so of them only the names are told."""
    return {**provider_shape(provider, person), "headers": sorted(provider.headers)}


def _question_sets(person: User) -> Iterator[str]:
    now = timezone.now()
    yield "[\n"
    for number, row in enumerate(person.question_sets.order_by("id").iterator(100)):
        yield f"{',' if number else ''}{_json(question_set_shape(row, now))}"
    yield "]\n"


def _name(conversation: Conversation) -> str:
    """When it began, its title, and the end of its id, since titles repeat."""
    title = file_name(conversation, "json").removesuffix(".json")
    return f"{conversation.created:%Y-%m-%d} {title} {conversation.pk.hex[-6:]}.json"


def _image(person: User, id_: UUID) -> Iterator[bytes]:
    yield from (bytes(data) for data in person.images.filter(pk=id_).values_list("data", flat=True))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str) + "\n"
