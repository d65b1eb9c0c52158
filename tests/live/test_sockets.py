"""Who may open a socket, and what it takes and tells."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.live.follower import Follower
from tests.stand_ins.server import LiveServer

PING = '{"meta": {"command": "ping"}}'


@pytest.fixture
def socket(live: LiveServer) -> Iterator[ClientConnection]:
    with live.socket() as socket:
        yield socket


def close_code(socket: ClientConnection) -> int | None:
    """The code with which an accepted socket is closed."""
    with socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv(5)
    return closed.value.rcvd and closed.value.rcvd.code


def told(socket: ClientConnection, command: str | bytes) -> Any:
    socket.send(command)
    return orjson.loads(socket.recv(5))["meta"]


def ticket(live: LiveServer) -> str:
    return f"?ticket={live.post('/api/socket-tickets/').json['ticket']}"


def test_nobody_gets_no_socket(live: LiveServer) -> None:
    assert close_code(live.open_socket()) == 4401


def test_our_own_page_without_a_session_gets_no_socket(live: LiveServer) -> None:
    assert close_code(live.open_socket(origin=live.url)) == 4401


def test_a_ticket_opens_one_socket(live: LiveServer) -> None:
    query = ticket(live)
    with live.open_socket(query) as socket:
        assert told(socket, PING) == {"event": "pong"}
    assert close_code(live.open_socket(query)) == 4401


def test_an_unknown_ticket_opens_none(live: LiveServer) -> None:
    assert close_code(live.open_socket("?ticket=guessed")) == 4401


def test_a_foreign_page_gets_no_socket(live: LiveServer) -> None:
    assert close_code(live.open_socket(ticket(live), origin="https://example.org")) == 4403


def test_a_foreign_page_gets_no_socket_with_the_persons_cookie(live: LiveServer, session_cookie: str) -> None:
    cookie = {"Cookie": f"sessionid={session_cookie}"}
    socket = live.open_socket(origin="https://example.org", additional_headers=cookie)
    assert close_code(socket) == 4403


def test_a_cookie_without_an_origin_gets_no_socket(live: LiveServer, session_cookie: str) -> None:
    cookie = {"Cookie": f"sessionid={session_cookie}"}
    assert close_code(live.open_socket(additional_headers=cookie)) == 4403


def test_our_own_page_gets_a_socket_with_the_persons_cookie(live: LiveServer, session_cookie: str) -> None:
    cookie = {"Cookie": f"sessionid={session_cookie}"}
    with live.open_socket(origin=live.url, additional_headers=cookie) as socket:
        assert told(socket, PING) == {"event": "pong"}


UNKNOWN = "0190f3c2-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ('{"meta": {"command": "explode"}}', "socket.unknown_command"),
        ('{"meta": {"command": "__init__"}}', "socket.unknown_command"),
        ('{"meta": {"command": ["ping"]}}', "socket.unknown_command"),
        ('{"meta": []}', "socket.unknown_command"),
        ("[]", "socket.unknown_command"),
        ("null", "socket.unknown_command"),
        ("", "socket.bad_command"),
        ("garbage", "socket.bad_command"),
        ("[" * 100_000, "socket.bad_command"),
        (b"\x00\xff", "socket.bad_command"),
        ('{"meta": {"command": "ack", "seq": 1}}', "socket.bad_command"),
        (f'{{"meta": {{"command": "ack", "conversation": "{UNKNOWN}"}}}}', "socket.bad_command"),
        ('{"meta": {"command": "subscribe", "conversation": 5}}', "not_found"),
        ('{"meta": {"command": "subscribe", "conversation": "x"}}', "not_found"),
        (f'{{"meta": {{"command": "subscribe", "conversation": "{UNKNOWN}"}}}}', "not_found"),
    ],
)
def test_a_bad_command_is_told_and_the_socket_lives(
    socket: ClientConnection, frame: str | bytes, code: str
) -> None:
    error = told(socket, frame)
    assert (error["event"], error["code"]) == ("error", code)
    assert told(socket, PING) == {"event": "pong"}


def test_another_persons_conversation_is_not_found(live: LiveServer, parrot: str) -> None:
    asked = live.ask(parrot)
    stranger = live.new_person("stranger")
    command = f'{{"meta": {{"command": "subscribe", "conversation": "{asked.conversation}"}}}}'
    with live.socket(token=stranger) as socket:
        assert told(socket, command)["code"] == "not_found"


def test_a_heartbeat_tells_where_the_conversation_stands(live: LiveServer, parrot: str) -> None:
    asked = live.ask(parrot)
    live.ended(asked.run)
    with live.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until_settled()
    assert follower.subscriptions == 1
    assert follower.text(asked.reply) == "Fine."


def test_a_feed_tells_of_a_new_conversation(live: LiveServer, parrot: str, socket: ClientConnection) -> None:
    assert told(socket, '{"meta": {"command": "subscribe"}}')["event"] == "feed.subscribed"
    asked = live.ask(parrot)
    created = orjson.loads(socket.recv(5))["meta"]
    assert (created["event"], created["conversation"]) == ("conversation.created", asked.conversation)
