"""Who may do what: walks the tables of docs/access.md, cell by cell, against a running server."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from websockets.exceptions import ConnectionClosed

from tests.required import PROJECT
from tests.stand_ins.server import Answer, LiveServer, MakeServer

pytestmark = pytest.mark.once

WORLD = "from tests.live.access_world import print_world; print_world()"
COLUMNS = ("nobody", "stranger", "reader", "staff", "owner", "revoked", "lacking")
ROW = re.compile(
    r"^\| `(?P<method>[A-Z]+) (?P<address>\S+)` *\| (?P<scope>[a-z]*) *\| (?P<cells>.+) \|$", re.MULTILINE
)
KIND = re.compile(r"\{(\w+)\}")
ASKED = ("conversation", "message", "reply", "run")
"""Those that one post makes: to delete one may delete all."""

CSRF = "x" * 32
FORM = "application/x-www-form-urlencoded"
SIGN_IN = ("/sign-in/", "/admin/login/")


@dataclass(frozen=True)
class Row:
    """A line of the table; a cell is `yes`, `sign in` for a page that leads there, or a status."""

    method: str
    address: str
    scope: str
    cells: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.method} {self.address}"


def rows(heading: str) -> list[Row]:
    text = (PROJECT / "docs" / "access.md").read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [
        Row(method, address, scope, dict(zip(COLUMNS, map(str.strip, cells.split("|")), strict=True)))
        for method, address, scope, cells in ROW.findall(text)
    ]


CALLS, PAGES = rows("Calls"), rows("Pages")


class World:
    """A server with people of each kind, and plenty of what an address can name: each call gets its own."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        made = orjson.loads(server.manage("shell", "-v0", "-c", WORLD))
        self._signs: dict[str, Any] = {"nobody": {"token": "", "sessions": [""] * 3}} | made["signs"]
        self._things: dict[str, dict[str, list[dict[str, str]]]] = made["things"]
        for things in self._things.values():
            things |= dict.fromkeys(ASKED, things["conversation"])

    def token(self, name: str) -> str:
        return str(self._signs[name]["token"])

    def one(self, kind: str, column: str) -> str:
        """A thing of the column's person, who may use it up; others try a thing of the reader's, in vain."""
        if column in self._things:
            return self._things[column][kind].pop()[kind]
        return self._things["reader"][kind][0][kind]

    def command(self, command: str, column: str) -> str:
        """What a socket answers; where none opens, how it is refused."""
        token = self.token("without read" if column == "lacking" else column)
        ticket = self.server.post("/api/socket-tickets/", token=token)
        if ticket.status == 403:
            return "403"
        query = f"?ticket={ticket.json['ticket']}" if ticket.status == 201 else ""
        meta = {"command": command, "conversation": self.one("conversation", column), "seq": 1, "epoch": 1}
        with self.server.open_socket(query) as socket:
            try:
                socket.send(orjson.dumps({"meta": meta}).decode())
                socket.send('{"meta": {"command": "ping"}}')
                told = orjson.loads(socket.recv(5))["meta"]
            except ConnectionClosed as closed:
                return str(closed.rcvd and closed.rcvd.code)
        return str(told.get("code", "yes"))

    def cookies(self, name: str, *, used_up: bool = False) -> str:
        sessions = self._signs[name]["sessions"]
        return f"csrftoken={CSRF}; sessionid={sessions.pop() if used_up else sessions[0]}"

    def call(self, row: Row, column: str) -> Answer:
        address = KIND.sub(lambda match: self.one(match[1], column), row.address)
        body = None if row.method == "GET" else b"{}"
        token = self.token(f"without {row.scope}" if column == "lacking" else column)
        return self.server.request(row.method, address, body, token=token)

    def visit(self, row: Row, column: str) -> Answer:
        address = KIND.sub(lambda match: self.one(match[1], column), row.address)
        headers = {
            "Cookie": self.cookies(column, used_up=row.address == "/sign-out/"),
            "X-CSRFToken": CSRF,
            "Content-Type": FORM,
        }
        return self.server.request(
            row.method, address, None if row.method == "GET" else b"", token="", **headers
        )


@pytest.fixture(scope="module")
def world(new_server: MakeServer) -> World:
    server = new_server()
    server.start()
    return World(server)


def outcome(answer: Answer) -> str:
    location = answer.headers.get("Location", "")
    if answer.status in (301, 302) and location.startswith(SIGN_IN):
        return "sign in"
    assert answer.status < 500 or answer.status == 502, answer.body
    return str(answer.status) if answer.status in (401, 403, 404, 405) else "yes"


@pytest.mark.parametrize("row", CALLS, ids=str)
def test_who_may_call(world: World, row: Row) -> None:
    columns = [column for column in COLUMNS if row.cells[column] != "–"]
    assert {column: outcome(world.call(row, column)) for column in columns} == {
        column: row.cells[column] for column in columns
    }


@pytest.mark.parametrize("row", PAGES, ids=str)
def test_who_may_visit(world: World, row: Row) -> None:
    columns = [column for column in COLUMNS if row.cells[column] != "–"]
    assert {column: outcome(world.visit(row, column)) for column in columns} == {
        column: row.cells[column] for column in columns
    }


@pytest.mark.parametrize("row", [row for row in PAGES if row.method == "POST"], ids=str)
def test_no_form_is_taken_without_its_token(world: World, row: Row) -> None:
    address = KIND.sub(lambda match: world.one(match[1], "stranger"), row.address)
    headers = {"Cookie": world.cookies("reader"), "Content-Type": FORM}
    assert world.server.request("POST", address, b"", token="", **headers).status == 403


@pytest.mark.parametrize("row", [row for row in CALLS if row.method != "GET" and row.scope], ids=str)
def test_no_call_is_taken_by_the_cookie_alone(world: World, row: Row) -> None:
    """Neither from a page of ours without its token, nor from any other page."""
    address = KIND.sub(lambda match: world.one(match[1], "stranger"), row.address)
    for more in ({}, {"Origin": "https://elsewhere.example", "X-CSRFToken": CSRF}):
        answer = world.server.request(
            row.method, address, b"{}", token="", Cookie=world.cookies("reader"), **more
        )
        assert answer.status in (401, 403, 415)


COMMAND = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)
SOCKET = COMMAND.findall((PROJECT / "docs" / "access.md").read_text())


@pytest.mark.parametrize(("command", "cells"), SOCKET)
def test_who_may_command(world: World, command: str, cells: str) -> None:
    expected = dict(zip(COLUMNS, map(str.strip, cells.split("|")), strict=True))
    assert {column: world.command(command, column) for column in COLUMNS} == expected


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from routes(entry, prefix + str(entry.pattern))
        elif isinstance(entry, URLPattern):
            yield prefix + str(entry.pattern)


def test_every_address_is_in_the_tables() -> None:
    filled = {"tool": "ask", "host": "example.org", "number": "1", "token": "x", "app": "x"}
    id_ = "0190f3c2-0000-7000-8000-000000000000"
    listed = {
        resolve(KIND.sub(lambda match: filled.get(match[1], id_), row.address).partition("?")[0]).route
        for row in (*CALLS, *PAGES)
    }
    admin = {route for route in routes(get_resolver()) if route.startswith("admin/")}
    assert set(routes(get_resolver())) - listed - admin == set()
