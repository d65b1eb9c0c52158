"""What browsers get as static files, at which addresses, and how long they may keep it."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponseBase
from django.templatetags.static import static
from django.test import Client

from askweb.static_files import StaticFile, edition_of

STATIC = Path(settings.BASE_DIR) / "static"
ICON = (STATIC / "icons.svg").read_bytes()
KEPT = "public, max-age=31536000, immutable"
ASKED_FOR_AGAIN = "public, no-cache"


def fetch(address: str, **headers: str) -> Any:
    return Client().get(address, headers=headers)


def caching(answer: HttpResponseBase) -> tuple[int, str]:
    return answer.status_code, answer.headers["Cache-Control"]


def test_the_address_of_what_is_ours_is_kept_for_good() -> None:
    assert re.fullmatch(r"/static/[0-9a-f]{12}/icons\.svg", static("icons.svg"))
    assert caching(fetch(static("icons.svg"))) == (200, KEPT)


def test_the_address_changes_with_any_file() -> None:
    files = [{"a.js": StaticFile.of(Path("a.js"), body)} for body in (b"1", b"2")]
    assert edition_of(files[0]) != edition_of(files[1]) != edition_of({})


@pytest.mark.parametrize("address", ["/static/icons.svg", "/static/0123456789ab/icons.svg"])
def test_another_address_leads_to_it_but_is_not_kept(address: str) -> None:
    answer = fetch(address)
    assert (caching(answer), answer.content) == ((200, ASKED_FOR_AGAIN), ICON)


def test_relative_addresses_in_a_kept_style_sheet_are_kept_too() -> None:
    font = static("vendor/katex/katex.min.css").replace("katex.min.css", "fonts/KaTeX_Main-Regular.woff2")
    assert caching(fetch(font)) == (200, KEPT)


def test_it_comes_compressed_to_who_can_read_that() -> None:
    zipped, plain = fetch(static("icons.svg"), **{"Accept-Encoding": "gzip, br"}), fetch(static("icons.svg"))
    assert gzip.decompress(zipped.content) == plain.content == ICON
    assert len(zipped.content) == int(zipped.headers["Content-Length"]) < len(ICON) / 2
    assert "Content-Encoding" not in plain.headers
    assert {zipped.headers["Vary"], plain.headers["Vary"]} == {"Accept-Encoding"}


def test_fonts_are_compressed_already() -> None:
    font = fetch(static("vendor/katex/fonts/KaTeX_Main-Regular.woff2"), **{"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in font.headers


def test_what_is_unchanged_is_not_sent_again() -> None:
    etag = fetch("/static/icons.svg").headers["ETag"]
    again = fetch("/static/icons.svg", **{"If-None-Match": etag})
    assert (caching(again), again.content) == ((304, ASKED_FOR_AGAIN), b"")


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("css/app.css", "text/css; charset=utf-8"),
        ("js/app.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("vendor/katex/fonts/KaTeX_Main-Regular.woff2", "font/woff2"),
        ("admin/css/base.css", "text/css; charset=utf-8"),
        ("rest_framework/img/glyphicons-halflings.png", "image/png"),
    ],
)
def test_files_say_what_they_are(name: str, content_type: str) -> None:
    answer = fetch(static(name))
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, content_type)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_what_others_wrote_is_asked_for_again() -> None:
    assert static("admin/css/base.css") == "/static/admin/css/base.css"
    assert caching(fetch("/static/admin/css/base.css")) == (200, ASKED_FOR_AGAIN)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "../askweb/settings.py",
        "%2e%2e/askweb/settings.py",
        "js/../../manage.py",
        "js",
        "js/",
        "icons.svg%00",
        "/etc/passwd",
    ],
)
def test_nothing_else_is_there(name: str) -> None:
    assert fetch(f"/static/{name}").status_code == 404


def test_files_are_only_read() -> None:
    assert Client().post(static("icons.svg")).status_code == 405


def test_while_they_are_worked_on_they_come_as_they_are(settings: Any) -> None:
    settings.DEBUG = True
    answer = fetch(static("css/app.css"))
    assert static("css/app.css") == "/static/css/app.css"
    assert (caching(answer), answer.content) == (
        (200, ASKED_FOR_AGAIN),
        (STATIC / "css" / "app.css").read_bytes(),
    )
