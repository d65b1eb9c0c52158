"""The images of an exported conversation: read and cleaned first, stored with the conversation."""

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.object_reader import ObjectReader
from askweb.errors import Problem
from askweb.images.cleaning import CleanImage, clean_image
from askweb.images.models import digest_of

NewIds = Mapping[str, str]
"""The ids of the person's images by those of the file."""


@dataclass(frozen=True)
class ImportedImage:
    """`id` is that of the file."""

    id: str
    clean: CleanImage


def read_images(file: ObjectReader, person: User) -> Iterator[ImportedImage]:
    """Yield the file's images. One that the person has already stays as it is; others are encoded anew."""
    for fields in file.objects("images"):
        id_, data = fields.text("id", required=True), fields.text("data", required=True)
        try:
            posted = b64decode(data, validate=True)
            yield ImportedImage(id_, _known(person, posted) or clean_image(posted))
        except NotBase64:
            fields.fault("data", "invalid", _("Must be a file in Base64."))
        except Problem as problem:
            fields.fault("data", problem.code, problem.message)


def store_images(person: User, images: Iterable[ImportedImage], named: Iterable[str]) -> NewIds:
    """Store the images. Of what is named beside them, the person's own keep their ids."""
    own = {str(id_): str(id_) for id_ in person.images.filter(pk__in=set(named)).values_list("pk", flat=True)}
    return own | {image.id: str(person.images.store(person, image.clean).pk) for image in images}


def _known(person: User, data: bytes) -> CleanImage | None:
    image = person.images.defer("data").filter(digest=digest_of(data)).first()
    return CleanImage(image.media_type, image.width, image.height, data) if image else None
