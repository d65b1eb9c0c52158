"""Files that are no images of ours, or too much of one, are refused by words, whatever they claim to be."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from askweb.errors import Problem
from askweb.images.cleaning import BYTES_LIMIT, PIXELS_LIMIT, clean_image
from tests.images.pictures import (
    animated,
    drawn,
    header_of_gif,
    header_of_jpeg,
    header_of_png,
    header_of_webp,
    opened,
    written,
)

KINDS = ("PNG", "JPEG", "WEBP", "GIF")
FILES = [written(drawn(), kind) for kind in KINDS] + [animated("GIF"), animated("WEBP")]


def refusal(posted: bytes) -> tuple[str, int]:
    with pytest.raises(Problem) as caught:
        clean_image(posted)
    return caught.value.code, caught.value.status


@pytest.fixture
def undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever decodes here fails the test: `load` is what every decoder begins with."""

    def load(*_: object) -> None:
        pytest.fail("it was decoded")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", load)


@pytest.mark.usefixtures("undecoded")
@pytest.mark.parametrize("header", [header_of_png, header_of_gif, header_of_jpeg])
@pytest.mark.parametrize("size", [(50_000, 50_000), (8_000, 5_001), (40_001, 1_000)])
def test_too_many_pixels_are_seen_before_any_is_decoded(
    header: Callable[[int, int], bytes], size: tuple[int, int]
) -> None:
    assert refusal(header(*size)) == ("image.too_many_pixels", 422)


@pytest.mark.usefixtures("undecoded")
def test_a_webp_of_too_many_pixels_is_refused_before_memory_is_taken() -> None:
    assert refusal(header_of_webp(16_384, 16_384)) == ("image.too_many_pixels", 422)


def test_a_real_image_of_too_many_pixels_is_refused() -> None:
    posted = written(Image.new("1", (8_000, PIXELS_LIMIT // 8_000 + 1)), "PNG")
    assert refusal(posted) == ("image.too_many_pixels", 422)


def test_forty_megapixels_are_taken() -> None:
    clean = clean_image(written(Image.new("1", (8_000, PIXELS_LIMIT // 8_000)), "PNG"))
    assert (clean.width, clean.height) == (4096, 2560)


def test_more_than_five_megabytes_are_refused() -> None:
    assert refusal(b"\0" * (BYTES_LIMIT + 1)) == ("image.too_large", 413)


@pytest.mark.parametrize("kept", [0.5, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_cut_short_is_refused(kind: str, kept: float) -> None:
    whole = written(Image.effect_noise((64, 64), 100), kind)
    assert refusal(whole[: int(len(whole) * kept)]) == ("image.invalid", 422)


@pytest.mark.parametrize(
    "posted",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"Hello", id="text"),
        pytest.param(b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', id="SVG"),
        pytest.param(b"<?xml version='1.0'?><svg onload='alert(1)'/>", id="SVG with a script"),
        pytest.param(b"<html><body>", id="HTML"),
        pytest.param(b"%PDF-1.7\n", id="PDF"),
        pytest.param(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", id="EPS"),
        pytest.param(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", id="HEIC"),
        pytest.param(header_of_png(10, 10)[:20], id="a PNG without a size"),
        pytest.param(header_of_png(0, 0), id="a PNG of nothing"),
        pytest.param(b"<!--" + written(drawn(), "PNG"), id="a PNG inside HTML"),
        *(pytest.param(written(drawn(), kind), id=kind) for kind in ("BMP", "TIFF", "ICO", "PPM", "PDF")),
    ],
)
def test_what_is_no_image_of_ours_is_refused(posted: bytes) -> None:
    assert refusal(posted) == ("image.invalid", 422)


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(deadline=None)
@given(st.sampled_from(FILES), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=8))
def test_whatever_the_bytes_there_is_an_image_or_a_refusal(
    file: bytes, changes: list[tuple[float, int]]
) -> None:
    broken = bytearray(file)
    for place, byte in changes:
        broken[int(place * (len(file) - 1))] = byte
    with suppress(Problem):
        assert opened(clean_image(bytes(broken))).width > 0
