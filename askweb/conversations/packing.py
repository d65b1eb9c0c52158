"""JSON kept as it came, with its large strings stored once, whoever posts them and however often.

People ask many questions about one page, and each post carries the page again. So strings of
`TAKE_OUT` characters and more are taken out of the document, compressed, and addressed by their
SHA-256; the rest stays readable JSON text, because jsonb would reorder keys and refuse some numbers.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

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

    def used_in(self, conversation: "Conversation") -> Self:
        in_context = models.Q(contextitem__message__conversation=conversation)
        in_assembly = models.Q(assembly__run__conversation=conversation)
        return self.filter(in_context | in_assembly).distinct()

    @transaction.atomic
    def remove_unused(self, digests: Iterable[str]) -> None:
        locked = list(
            self.filter(pk__in=digests).order_by("pk").select_for_update().values_list("pk", flat=True)
        )
        unused = self.filter(pk__in=locked)
        for user in PackedJSON.__subclasses__():
            uses = user.contents.through._default_manager.filter(content=OuterRef("pk"))
            unused = unused.filter(~Exists(uses))
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

    class Meta:
        abstract = True

    def value(self) -> JSONValue:
        value: JSONValue = json.loads(self.body)
        texts = {content.digest: content.text() for content in self.contents.all()} if self.taken else {}
        for path, digest in self.taken:
            value = _put_back(value, path, texts[digest])
        return value


Packed = TypeVar("Packed", bound=PackedJSON)


def store_packed(rows: Iterable[tuple[Packed, JSONValue]]) -> None:
    """Save each row with its value. Call it inside a transaction."""
    found: list[tuple[Packed, list[tuple[Path, str]]]] = []
    for row, value in rows:
        large: list[tuple[Path, str]] = []
        row.body = json.dumps(_take_out(value, [], large), ensure_ascii=False, separators=(",", ":"))
        found.append((row, large))
    contents = Content.objects.keep(text for _row, large in found for _path, text in large)
    for row, large in found:
        row.taken = [(path, contents[text].digest) for path, text in large]
        row.save(force_insert=True)
        row.contents.add(*{contents[text] for _path, text in large})


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
