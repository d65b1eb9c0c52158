"""JSON kept as it came, with its large strings stored once, whoever posts them and however often.

People ask many questions about one page, and each post carries the page again. So strings of
`TAKE_OUT` characters and more are taken out of the document, compressed, and addressed by their
SHA-256; the rest stays readable JSON text, because jsonb would reorder keys and refuse some numbers.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

from django.db import models, transaction
from django.db.models import Exists, OuterRef

if TYPE_CHECKING:
    from askweb.conversations.models import Conversation

TAKE_OUT = 1024
COMPRESSION = 3

JSONValue: TypeAlias = bool | int | float | str | list["JSONValue"] | dict[str, "JSONValue"] | None
Path: TypeAlias = list[str | int]


class Contents(models.QuerySet["Content"]):
    def keep(self, texts: Iterable[str]) -> dict[str, "Content"]:
        """Store the texts that aren't stored yet; return the contents by text.

        The upsert locks rows that exist, so that `remove_unused` can't take one away meanwhile.
        """
        contents = {text: Content.of(text) for text in texts}
        rows = sorted(contents.values(), key=lambda content: content.digest)
        self.bulk_create(rows, update_conflicts=True, unique_fields=["digest"], update_fields=["size"])
        return contents

    def digests_in(self, conversation: "Conversation") -> set[str]:
        """The digests of all that the conversation uses."""
        return {
            digest
            for user in PackedJSON.__subclasses__()
            for digest in user.uses()
            .filter(**{f"{user.source()}__{user.to_conversation}": conversation})
            .values_list("content_id", flat=True)
            .distinct()
        }

    @transaction.atomic
    def remove_unused(self, digests: Iterable[str]) -> None:
        locked = list(
            self.filter(pk__in=digests).order_by("pk").select_for_update().values_list("pk", flat=True)
        )
        unused = self.filter(pk__in=locked)
        for user in PackedJSON.__subclasses__():
            unused = unused.filter(~Exists(user.uses().filter(content=OuterRef("pk"))))
        unused.delete()


class Content(models.Model):
    """A large string, compressed, under the SHA-256 of its UTF-8 bytes."""

    digest = models.CharField(primary_key=True, max_length=64)
    size = models.PositiveIntegerField(help_text="bytes before compression")
    compressed = models.BinaryField()

    objects = Contents.as_manager()

    class Meta:
        app_label = "conversations"

    def __str__(self) -> str:
        return self.digest

    @classmethod
    def of(cls, text: str) -> Self:
        data = text.encode()
        digest = hashlib.sha256(data).hexdigest()
        return cls(digest=digest, size=len(data), compressed=zlib.compress(data, COMPRESSION))

    def text(self) -> str:
        return zlib.decompress(self.compressed).decode()


class PackedJSON(models.Model):
    """A JSON value; read it with `value()`, store it with `store_packed`."""

    body = models.TextField(help_text="JSON text, with an empty string where a large one was taken out")
    taken = models.JSONField(
        default=list, blank=True, help_text="[path, digest] of each string that was taken out"
    )
    contents = models.ManyToManyField(Content, blank=True)

    to_conversation: ClassVar[str]
    """The look-up that leads from a row to its conversation."""

    class Meta:
        abstract = True

    @classmethod
    def uses(cls) -> "models.QuerySet[Any]":
        """The rows that say which of these uses which content."""
        rows: models.QuerySet[Any] = cls.contents.through._default_manager.all()
        return rows

    @classmethod
    def source(cls) -> str:
        """What those rows call the one that uses."""
        return str(cls._meta.model_name)

    def value(self) -> JSONValue:
        value: JSONValue = json.loads(self.body)
        texts = {content.digest: content.text() for content in self.contents.all()} if self.taken else {}
        for path, digest in self.taken:
            value = _put_back(value, path, texts[digest])
        return value


Packed = TypeVar("Packed", bound=PackedJSON)


def store_packed(rows: Iterable[tuple[Packed, JSONValue]]) -> None:
    """Save rows of one model with their values, in four queries at most. Call it inside a transaction."""
    found: list[tuple[Packed, list[tuple[Path, str]]]] = []
    for row, value in rows:
        large: list[tuple[Path, str]] = []
        row.body = json.dumps(_take_out(value, [], large), ensure_ascii=False, separators=(",", ":"))
        found.append((row, large))
    contents = Content.objects.keep({text for _row, large in found for _path, text in large})
    for row, large in found:
        row.taken = [(path, contents[text].digest) for path, text in large]
    if found:
        _save(found, contents)


def _save(found: Sequence[tuple[Packed, list[tuple[Path, str]]]], contents: Mapping[str, Content]) -> None:
    model = type(found[0][0])
    model._default_manager.bulk_create([row for row, _large in found])
    uses = model.uses()
    uses.bulk_create(
        uses.model(**{model.source(): row, "content": content})
        for row, large in found
        for content in {contents[text] for _path, text in large}
    )


def _take_out(value: JSONValue, path: Path, large: list[tuple[Path, str]]) -> JSONValue:
    """Return the value without its large strings, which are added to `large` with their paths."""
    if isinstance(value, str) and len(value) >= TAKE_OUT:
        large.append((path, value))
        return ""
    if isinstance(value, dict):
        return {key: _take_out(item, [*path, key], large) for key, item in value.items()}
    if isinstance(value, list):
        return [_take_out(item, [*path, index], large) for index, item in enumerate(value)]
    return value


def _put_back(value: JSONValue, path: Path, text: str) -> JSONValue:
    if not path:
        return text
    place = value
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = text  # type: ignore[index]
    return value
