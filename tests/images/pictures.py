"""Small pictures, written in every way that matters, and read again."""

import struct
import zlib
from io import BytesIO

from PIL import Image

from askweb.images.cleaning import CleanImage

RED, WHITE = (255, 0, 0), (255, 255, 255)
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def drawn(width: int = 32, height: int = 16) -> Image.Image:
    """White, with a red quarter at the top left, so that one sees how it is turned."""
    picture = Image.new("RGB", (width, height), WHITE)
    picture.paste(RED, (0, 0, width // 2, height // 2))
    return picture


def written(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **options)  # type: ignore[arg-type]
    return file.getvalue()


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, WHITE, (0, 0, 255))]
    return written(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)


def chunk(kind: bytes, data: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + checksum


def header_of_png(width: int, height: int, bits: int = 8) -> bytes:
    """A PNG in colour that ends after claiming its size (ISO/IEC 15948, 11.2.2)."""
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 2, 0, 0, 0))


def png_of_sixteen_bits(*pixel: int) -> bytes:
    data = zlib.compress(b"\0" + struct.pack(">HHH", *pixel))
    return header_of_png(1, 1, 16) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def header_of_gif(width: int, height: int) -> bytes:
    frame = struct.pack("<HHHHB", 0, 0, width, height, 0)
    return b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + b"," + frame + b"\x02\x02\x4c\x01\x00;"


def header_of_webp(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    extended = b"VP8X" + struct.pack("<I", 10) + bytes(4) + size
    return b"RIFF" + struct.pack("<I", 4 + len(extended)) + b"WEBP" + extended


def header_of_jpeg(width: int, height: int) -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\x01\x11\x00"
    return (
        b"\xff\xd8\xff\xc0"
        + struct.pack(">H", 2 + len(frame))
        + frame
        + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00"
    )


def opened(clean: CleanImage) -> Image.Image:
    picture = Image.open(BytesIO(clean.data))
    picture.load()
    return picture


def colour_at(picture: Image.Image, x: int, y: int) -> str:
    """Which of the two colours is there, whatever a lossy format made of it."""
    pixel = picture.convert("RGB").getpixel((x, y))
    assert isinstance(pixel, tuple)
    return {(True, False): "red", (True, True): "white"}[pixel[0] > 200, pixel[1] > 200]
