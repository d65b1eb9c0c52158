"""A post that can't be taken says why, and leaves nothing behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.stand_ins.server import LiveServer

POST = "/api/conversations/"


def asking(**meta: str) -> bytes:
    return orjson.dumps({"meta": meta, "messages": [{"role": "user", "content": "Hi"}]})


@pytest.fixture
def unchanged(live: LiveServer, parrot: str) -> Iterator[None]:
    before = stored(live)
    yield
    assert stored(live) == before


def stored(live: LiveServer) -> dict[str, int]:
    """Rows by table, without those of search: it reads in the background what other tests have posted."""
    return {table: rows for table, rows in live.count_rows().items() if "search" not in table}


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        pytest.param(b'{"context": "%s"}' % (b"x" * 20_000_000), 413, "body.too_large", id="20 MB"),
        pytest.param(b"", 422, "prompt.empty", id="empty"),
        pytest.param(b'{"messages": [', 400, "json.broken", id="cut off"),
        pytest.param(b'{"meta": {"temperature": NaN}}', 400, "json.broken", id="NaN"),
        pytest.param(b'{"meta": {"temperature": 1e999}}', 400, "json.broken", id="infinite"),
        pytest.param(b'{"context": ["\xff"]}', 400, "json.broken", id="not UTF-8"),
        pytest.param(b'{"context": %s}' % (b"[" * 120 + b"]" * 120), 400, "json.too_deep", id="deep"),
        pytest.param(b"[" * 1_000_000, 400, "json.too_deep", id="a million levels"),
        pytest.param(b"[]", 422, "invalid", id="a list"),
        pytest.param(b'{"messages": "Hi"}', 422, "invalid", id="messages that are a text"),
        pytest.param(asking(tool="no-such-tool"), 422, "tool.unknown", id="unknown tool"),
        pytest.param(asking(provider="no-such"), 422, "provider.unknown", id="unknown provider"),
    ],
)
def test_it_is_refused_and_nothing_is_stored(live: LiveServer, body: bytes, status: int, code: str) -> None:
    answer = live.request("POST", POST, body)
    assert (answer.status, answer.code) == (status, code)


@pytest.mark.usefixtures("unchanged")
def test_broken_json_is_told_by_line_and_column(live: LiveServer) -> None:
    answer = live.request("POST", POST, b'{"messages":\n  [1,]}')
    assert (answer.status, answer.json["line"], answer.json["column"]) == (400, 2, 6)


@pytest.mark.usefixtures("unchanged")
def test_a_trailing_comma_is_broken_json(live: LiveServer, cases: Path) -> None:
    body = (cases / "seeds" / "page-search-envelope-as-written.json.txt").read_bytes()
    answer = live.request("POST", POST, body)
    assert (answer.status, answer.code) == (400, "json.broken")
    assert answer.json["line"] > 1


@pytest.mark.usefixtures("unchanged")
def test_a_post_without_a_token_is_refused(live: LiveServer) -> None:
    answer = live.request("POST", POST, asking(), token="")
    assert (answer.status, answer.code) == (401, "auth.required")


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        (rb"nul \u0000.", "nul \ufffd."),
        (rb"half \ud83d.", "half \ufffd."),
        (rb"whole \ud83d\ude00.", "whole \U0001f600."),
    ],
)
def test_what_databases_refuse_becomes_a_replacement_character(
    live: LiveServer, parrot: str, content: bytes, stored: str
) -> None:
    body = b'{"meta": {"provider": "%s"}, "messages": [{"role": "user", "content": "%s"}]}'
    answer = live.request("POST", POST, body % (parrot.encode(), content))
    message: Any = answer.json["message"]
    assert (answer.status, message["content"], message["normalised"]) == (201, stored, "\ufffd" in stored)


def test_a_broken_form_is_told(live: LiveServer) -> None:
    form = "multipart/form-data; boundary=x"
    answer = live.request("POST", "/api/images/", b"--x--\r\n", **{"Content-Type": form})
    assert (answer.status, answer.code) == (422, "image.invalid")
    answer = live.request("POST", "/api/images/", b"nonsense", **{"Content-Type": "multipart/form-data"})
    assert (answer.status, answer.code) == (400, "form.broken")
