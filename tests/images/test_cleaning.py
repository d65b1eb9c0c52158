"""What is stored of an image: upright pixels, in a form that everybody reads."""

import pytest
from PIL import Image

from askweb.images import cleaning
from askweb.images.cleaning import SIDE_LIMIT, clean_image
from tests.images.pictures import RED, animated, chunk, colour_at, drawn, opened, png_of_sixteen_bits, written

SECRET = b"51.5033 N, taken by somebody"


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp"), ("GIF", "image/png")],
)
def test_each_format_comes_out_as_a_picture_of_the_same_size(kind: str, media_type: str) -> None:
    clean = clean_image(written(drawn(), kind))
    assert (clean.media_type, clean.width, clean.height) == (media_type, 32, 16)
    assert opened(clean).size == (32, 16)
    assert [colour_at(opened(clean), *place) for place in ((2, 2), (29, 2), (2, 13))] == [
        "red",
        "white",
        "white",
    ]


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_an_animation_becomes_its_first_frame(kind: str) -> None:
    picture = opened(clean_image(animated(kind)))
    assert getattr(picture, "n_frames", 1) == 1
    assert colour_at(picture, 4, 4) == "red"


def test_a_phones_file_of_several_pictures_becomes_a_jpeg_of_the_first() -> None:
    posted = written(drawn(), "MPO", save_all=True, append_images=[Image.new("RGB", (32, 16))])
    clean = clean_image(posted)
    assert (clean.media_type, opened(clean).format) == ("image/jpeg", "JPEG")
    assert colour_at(opened(clean), 2, 2) == "red"


# Where the red quarter of the picture must lie once the file is turned as its Orientation says.
@pytest.mark.parametrize(
    ("orientation", "size", "red"),
    [
        (1, (32, 16), (2, 2)),
        (2, (32, 16), (29, 2)),
        (3, (32, 16), (29, 13)),
        (4, (32, 16), (2, 13)),
        (5, (16, 32), (2, 2)),
        (6, (16, 32), (13, 2)),
        (7, (16, 32), (13, 29)),
        (8, (16, 32), (2, 29)),
        (9, (32, 16), (2, 2)),
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_it_is_turned_upright(
    kind: str, orientation: int, size: tuple[int, int], red: tuple[int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = opened(clean_image(written(drawn(), kind, exif=exif)))
    assert picture.size == size
    assert colour_at(picture, *red) == "red"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_broken_metadata_are_no_reason_to_refuse() -> None:
    clean = clean_image(written(drawn(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff"))
    assert (clean.width, clean.height) == (32, 16)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_where_and_with_what_it_was_taken_is_gone(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010F] = SECRET.decode()
    exif.get_ifd(0x8825)[1] = "N"
    posted = written(drawn(), kind, exif=exif, icc_profile=SECRET, comment=SECRET, xmp=SECRET)
    clean = clean_image(posted)
    assert SECRET in posted
    assert SECRET not in clean.data
    assert not opened(clean).getexif()
    assert not {"exif", "icc_profile", "xmp", "comment"} & set(opened(clean).info)


def test_the_texts_of_a_png_are_gone() -> None:
    posted = written(drawn(), "PNG")
    texts = chunk(b"tEXt", b"Comment\0" + SECRET) + chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + SECRET)
    posted = posted[:33] + texts + posted[33:]
    assert clean_image(posted) == clean_image(written(drawn(), "PNG"))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_what_else_a_file_is_does_not_survive(kind: str) -> None:
    posted = written(drawn(), kind) + b"<script>alert(1)</script>PK\x03\x04"
    data = clean_image(posted).data
    assert b"<script>" not in data
    assert b"PK\x03\x04" not in data


def test_a_script_in_a_comment_does_not_survive() -> None:
    posted = written(drawn(), "JPEG", comment=b"*/=alert(1)/*")
    assert b"*/=alert(1)/*" in posted
    assert b"*/=alert(1)/*" not in clean_image(posted).data


def test_print_colours_become_screen_colours() -> None:
    picture = opened(clean_image(written(drawn().convert("CMYK"), "JPEG")))
    assert picture.mode == "RGB"
    assert [colour_at(picture, *place) for place in ((2, 2), (29, 13))] == ["red", "white"]


@pytest.mark.parametrize("kind", ["PNG", "GIF"])
def test_a_palettes_transparent_colour_stays_transparent(kind: str) -> None:
    picture = drawn().quantize(2)
    transparent = picture.getpixel((0, 0))
    clean = opened(clean_image(written(picture, kind, transparency=transparent)))
    assert [_opacity(clean, *place) for place in ((2, 2), (29, 13))] == [0, 255]


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_is_kept(kind: str, mode: str) -> None:
    picture = drawn().convert(mode)
    picture.putalpha(128)
    assert _opacity(opened(clean_image(written(picture, kind))), 2, 2) == 128


@pytest.mark.parametrize("colour", [RED, 255])
def test_one_transparent_colour_of_a_png_without_a_palette_is_kept(colour: int | tuple[int, ...]) -> None:
    picture = Image.new("L" if isinstance(colour, int) else "RGB", (4, 4), colour)
    assert _opacity(opened(clean_image(written(picture, "PNG", transparency=colour))), 1, 1) == 0


@pytest.mark.parametrize(("deep", "shallow"), [(0, 0), (0x8000, 128), (0xFFFF, 255)])
def test_sixteen_bits_of_grey_become_eight(deep: int, shallow: int) -> None:
    picture = Image.new("I;16", (4, 4), deep)
    clean = opened(clean_image(written(picture, "PNG")))
    assert (clean.mode, clean.getpixel((1, 1))) == ("L", shallow)


def test_sixteen_bits_of_colour_become_eight() -> None:
    posted = png_of_sixteen_bits(0xFFFF, 0x8000, 0)
    assert opened(clean_image(posted)).getpixel((0, 0)) == (255, 128, 0)


def test_black_and_white_stays_so() -> None:
    clean = opened(clean_image(written(Image.new("1", (8, 8), 1), "PNG")))
    assert (clean.mode, clean.getpixel((1, 1))) == ("L", 255)


@pytest.mark.parametrize(
    ("posted", "stored"),
    [
        ((SIDE_LIMIT, 8), (SIDE_LIMIT, 8)),
        ((2 * SIDE_LIMIT, 80), (SIDE_LIMIT, 40)),
        ((80, 2 * SIDE_LIMIT), (40, SIDE_LIMIT)),
        ((3 * SIDE_LIMIT, 1), (SIDE_LIMIT, 1)),
    ],
)
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_long_sides_are_scaled_down(kind: str, posted: tuple[int, int], stored: tuple[int, int]) -> None:
    clean = clean_image(written(drawn(*posted), kind))
    assert (clean.width, clean.height) == opened(clean).size == stored


def test_what_grew_is_scaled_down_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    posted = written(Image.effect_noise((200, 100), 100), "JPEG", quality=20)
    monkeypatch.setattr(cleaning, "BYTES_LIMIT", len(posted))
    clean = clean_image(posted)
    assert len(clean.data) <= len(posted)
    assert clean.width == pytest.approx(2 * clean.height, abs=2)
    assert 50 < clean.width < 200


def _opacity(picture: Image.Image, x: int, y: int) -> int:
    pixel = picture.convert("RGBA").getpixel((x, y))
    assert isinstance(pixel, tuple)
    return int(pixel[3])
