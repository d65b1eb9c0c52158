"""Making posted images harmless: their pixels are kept, encoded anew, and nothing else of the file."""

import struct
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO
from threading import Lock

from django.utils.translation import gettext as _
from PIL import Image
from PIL.Image import Resampling, Transpose

from askweb.errors import Problem

BYTES_LIMIT = 5 * 1024 * 1024
PIXELS_LIMIT = 40_000_000
SIDE_LIMIT = 4096

KEPT_AS = {"PNG": "PNG", "GIF": "PNG", "JPEG": "JPEG", "MPO": "JPEG", "WEBP": "WEBP"}
"""Pillow's format of what is stored, by that of what was posted. MPO is what many phones write as .jpg."""

READ = ("PNG", "JPEG", "WEBP", "GIF")
QUALITY = 90
ORIENTATION = 0x0112
UPRIGHT = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
"""What turns an image upright, by the value of EXIF's Orientation (CIPA DC-008, 4.6.5)."""

BOMB = (Image.DecompressionBombError, Image.DecompressionBombWarning)
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OSError,
    EOFError,
    SyntaxError,
    SystemError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What Pillow raises for files that are damaged, or made to damage: its parsers check little beforehand."""

# Pillow looks at the size itself while it opens a file, before its WebP decoder takes memory for it.
Image.MAX_IMAGE_PIXELS = PIXELS_LIMIT
warnings.filterwarnings("error", category=Image.DecompressionBombWarning)

# An image of 40 megapixels takes up to 600 MB while it is worked on, so a process works on one at a time.
_working = Lock()


@dataclass(frozen=True)
class CleanImage:
    media_type: str
    width: int
    height: int
    data: bytes


def clean_image(posted: bytes) -> CleanImage:
    """Return the posted image upright, encoded anew, without metadata, and of an animation the first frame.

    PNG, JPEG and WebP stay what they are; GIF becomes PNG. Neither side is longer than `SIDE_LIMIT` and the
    data are at most `BYTES_LIMIT`: what is larger is scaled down. Colours are taken for sRGB, at 8 bits.
    Raises `Problem`: `image.too_large`, `image.too_many_pixels` (seen before anything is decoded) or
    `image.invalid`.
    """
    if len(posted) > BYTES_LIMIT:
        raise too_large()
    if _pixels_of_png(posted) > PIXELS_LIMIT:
        raise _too_many_pixels()
    try:
        with _working, Image.open(BytesIO(posted), formats=READ) as image:
            return _clean(image)
    except BOMB as error:
        raise _too_many_pixels() from error
    except UNREADABLE as error:
        raise _invalid() from error


def too_large() -> Problem:
    message = _("This image is larger than 5 MB. Make it smaller, or save it as JPEG, and post it again.")
    return Problem("image.too_large", message, status=413)


def _too_many_pixels() -> Problem:
    message = _("This image has more than 40 megapixels. Make it smaller and post it again.")
    return Problem("image.too_many_pixels", message)


def _invalid() -> Problem:
    message = _(
        "This is no PNG, JPEG, WebP or GIF image, or it is damaged. Save it as PNG or JPEG and retry."
    )
    return Problem("image.invalid", message)


def _pixels_of_png(posted: bytes) -> int:
    """What a PNG claims (ISO/IEC 15948, 11.2.2), which Pillow tells after reading all up to its pixels; else 0."""
    if not posted.startswith(b"\x89PNG\r\n\x1a\n") or len(posted) < 24:
        return 0
    width, height = struct.unpack_from(">II", posted, 16)
    return int(width * height)


def _clean(image: Image.Image) -> CleanImage:
    if image.width * image.height > PIXELS_LIMIT:
        raise Image.DecompressionBombError
    kept_as = KEPT_AS[image.format or ""]
    image.draft(None, (SIDE_LIMIT, SIDE_LIMIT))  # a JPEG is decoded at a fraction of its size where that does
    image.load()
    plain = _plain(image)
    plain.thumbnail((SIDE_LIMIT, SIDE_LIMIT), Resampling.LANCZOS)
    upright = _turned(plain, _orientation(image))
    upright.info.clear()  # else Pillow writes the profile and the comment that it read
    return _encode(upright, kept_as)


def _plain(image: Image.Image) -> Image.Image:
    """The pixels in one of three modes that every format and every reader knows: L, RGB, RGBA."""
    if image.mode == "I;16":  # Pillow's own conversion makes all but the darkest white
        return image.point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        return _in_mode("RGBA", image)
    return _in_mode("L" if image.mode in ("1", "L") else "RGB", image)


def _in_mode(mode: str, image: Image.Image) -> Image.Image:
    return image if image.mode == mode else image.convert(mode)  # which would copy it anyway


def _orientation(image: Image.Image) -> object:
    try:
        return image.getexif().get(ORIENTATION)
    except UNREADABLE:
        return None


def _turned(image: Image.Image, orientation: object) -> Image.Image:
    turn = UPRIGHT.get(orientation) if isinstance(orientation, int) else None
    return image if turn is None else image.transpose(turn)


def _encode(image: Image.Image, kept_as: str) -> CleanImage:
    data = _written(image, kept_as)
    while len(data) > BYTES_LIMIT:
        image = _scaled(image, 0.95 * (BYTES_LIMIT / len(data)) ** 0.5)
        data = _written(image, kept_as)
    return CleanImage(Image.MIME[kept_as], image.width, image.height, data)


def _written(image: Image.Image, kept_as: str) -> bytes:
    file = BytesIO()
    image.save(file, kept_as, quality=QUALITY)
    return file.getvalue()


def _scaled(image: Image.Image, factor: float) -> Image.Image:
    size = (max(1, int(image.width * factor)), max(1, int(image.height * factor)))
    return image.resize(size, Resampling.LANCZOS)
