"""Images in messages: stored assemblies hold references, and only what is sent holds the data."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import cast
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.images.models import Image

AT_ONCE = 4
SCHEME = "askweb:image/"
GONE = "[image no longer available]"

Message = Mapping[str, object]
Part = Mapping[str, object]


def read_image_ids(value: object, person: User) -> list[UUID]:
    """Return the ids of a posted list, each once, in its order; None is an empty list.

    Raises ValueError, with words for the person, for what is no list of at most `AT_ONCE` ids of their images.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(_("Images are a list of ids."))
    if len(value) > AT_ONCE:
        raise ValueError(_("At most {number} images go with one message.").format(number=AT_ONCE))
    ids = list(dict.fromkeys(_posted_id(each) for each in value))
    if ids and person.images.filter(pk__in=ids).count() < len(ids):
        raise ValueError(_("One of these images isn't there, or it is not yours. Post it again."))
    return ids


def image_part(image_id: UUID) -> dict[str, object]:
    """The part of a message's content that stands for an image."""
    return {"type": "image_url", "image_url": {"url": f"{SCHEME}{image_id}"}}


def with_images(text: str, ids: Sequence[UUID | str]) -> str | list[dict[str, object]]:
    """The content of a message with these images below its text."""
    if not ids:
        return text
    words: list[dict[str, object]] = [{"type": "text", "text": text}] if text else []
    return [*words, *(image_part(UUID(str(each))) for each in ids)]


def with_image_data(messages: Sequence[Message], person_id: UUID) -> list[dict[str, object]]:
    """Put the person's images as data URLs where messages refer to them, and words where one is gone.

    The input is never changed; messages without references are returned as the same objects. Takes one query,
    or none where nothing is referred to.
    """
    ids = {id_ for message in messages for part in _references(message) if (id_ := _referred(part))}
    urls = _data_urls(ids, person_id) if ids else {}
    return [
        {**message, "content": _filled(message, urls)}
        if any(_references(message))
        else cast(dict[str, object], message)
        for message in messages
    ]


def referred_image(part: object) -> UUID | None:
    """The image that a part of a message's content stands for, as stored assemblies have it."""
    return _referred(cast(Part, part)) if _is_reference(part) else None


def _posted_id(value: object) -> UUID:
    id_ = _as_id(value)
    if id_ is None:
        raise ValueError(_("Images are a list of ids, and one of these is none."))
    return id_


def _as_id(value: object) -> UUID | None:
    if isinstance(value, UUID):
        return value
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _references(message: Message) -> Iterator[Part]:
    content = message.get("content")
    return (part for part in content if _is_reference(part)) if isinstance(content, list) else iter(())


def _is_reference(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "image_url" and _url(part).startswith(SCHEME)


def _url(part: Part) -> str:
    image = part.get("image_url")
    url = image.get("url") if isinstance(image, Mapping) else None
    return url if isinstance(url, str) else ""


def _referred(part: Part) -> UUID | None:
    return _as_id(_url(part).removeprefix(SCHEME))


def _data_urls(ids: set[UUID], person_id: UUID) -> dict[UUID, str]:
    rows = Image.objects.filter(user_id=person_id, pk__in=ids).values_list("pk", "media_type", "data")
    return {id_: f"data:{media_type};base64,{b64encode(data).decode()}" for id_, media_type, data in rows}


def _filled(message: Message, urls: Mapping[UUID, str]) -> list[object]:
    content = cast(list[object], message["content"])
    return [_with_data(cast(Part, part), urls) if _is_reference(part) else part for part in content]


def _with_data(part: Part, urls: Mapping[UUID, str]) -> dict[str, object]:
    """The part with its other keys, such as `detail`, or words instead of it."""
    id_ = _referred(part)
    if id_ is None or id_ not in urls:
        return {"type": "text", "text": GONE}
    image = cast(Mapping[str, object], part["image_url"])
    return {**part, "image_url": {**image, "url": urls[id_]}}
