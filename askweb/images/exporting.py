"""Images in a conversation's JSON file."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import TypedDict

from askweb.accounts.models import User


class ExportedImage(TypedDict):
    """`data` is the file in Base64."""

    id: str
    media_type: str
    data: str


def exported_images(person: User, ids: Iterable[str]) -> Iterator[ExportedImage]:
    """Those of the ids that are still there, each once, one in memory at a time."""
    for id_ in dict.fromkeys(ids):
        for image in person.images.filter(pk=id_):
            yield {"id": id_, "media_type": image.media_type, "data": b64encode(image.data).decode()}
