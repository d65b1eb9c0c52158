"""What those who watch the server are told: that it lives, that it can serve, and figures without anybody's words."""

import logging
import sys

import orjson
import pytest
from django.db import DatabaseError, OperationalError
from django.test import Client

from askweb import health
from askweb.logs import QuietJSON
from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream

pytestmark = pytest.mark.once
STRANGE = "10.0.0.7:8000"
"""How a load balancer calls it."""


def test_it_lives_whatever_it_is_called(client: Client) -> None:
    answer = client.get("/health/", headers={"host": STRANGE})
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.django_db
def test_it_can_serve_while_the_database_answers(client: Client) -> None:
    answer = client.get("/ready/", headers={"host": STRANGE})
    assert answer.status_code == 200
    told = answer.json()
    assert (told["ready"], told["closing"], told["database"]) == (True, False, "ok")


def test_it_can_not_while_the_database_is_gone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def cursor(self) -> None:
            raise OperationalError("gone")

    monkeypatch.setattr(health, "connection", Gone())
    answer = client.get("/ready/")
    assert answer.status_code == 503
    assert (answer.json()["ready"], answer.json()["database"]) == (False, "OperationalError")


def test_figures_are_off_by_default(live: LiveServer) -> None:
    assert live.request("GET", "/metrics/", token="").status == 404


def test_figures_hold_no_ids_and_no_texts(new_server: MakeServer, upstream: Upstream) -> None:
    server = new_server(ASKWEB_METRICS="on")
    server.start()
    asked = server.ask(server.add_provider(upstream), "A secret of mine")
    server.ended(asked.run)
    told = server.request("GET", "/metrics/", token="")
    assert told.status == 200
    assert told.headers["Content-Type"].startswith("text/plain")
    text = told.body.decode()
    assert 'askweb_runs_total{state="completed"} 1.0' in text
    assert "askweb_first_delta_seconds_count 1.0" in text
    for word in ("secret", "Fine.", asked.run, asked.conversation, "parrot"):
        assert word not in text


def test_a_log_line_can_be_an_object() -> None:
    words = "duplicate key\nDETAIL:  Key (title)=(my secret)"
    try:
        raise DatabaseError(words)
    except DatabaseError:
        record = logging.LogRecord("askweb.x", logging.ERROR, "", 1, "run %s crashed", ("7",), sys.exc_info())
    line = orjson.loads(QuietJSON().format(record))
    assert (line["level"], line["logger"]) == ("ERROR", "askweb.x")
    assert line["text"].startswith("run 7 crashed\nTraceback")
    assert line["text"].endswith("DatabaseError: duplicate key")
    assert line["time"].endswith("+00:00")
