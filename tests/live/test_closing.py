"""Open sockets end with what opened them: at once where that is told, else with the next check."""

import http.client
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

import orjson
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.stand_ins.server import EXTENSION, LiveServer, MakeServer

DEACTIVATE = """
from askweb.accounts.models import User
person = User.objects.get(username={!r})
person.is_active = False
person.save()
"""
QUIETLY = (
    "from askweb.accounts.models import User; User.objects.filter(username={!r}).update(is_active=False)"
)


class Browser:
    """A browser of a person's who has signed in by a link, as far as cookies go."""

    def __init__(self, live: LiveServer) -> None:
        self._live = live
        self._cookies: dict[str, str] = {}
        self.get(urlsplit(live.sign_in_link()).path)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    def get(self, path: str) -> None:
        self._send("GET", path, "")

    def post(self, path: str, **fields: str) -> None:
        self.get("/settings/devices/")
        self._send("POST", path, urlencode({"csrfmiddlewaretoken": self._cookies["csrftoken"], **fields}))

    def socket(self) -> ClientConnection:
        return self._live.open_socket(origin=self._live.url, additional_headers={"Cookie": self.cookie})

    def _send(self, method: str, path: str, body: str) -> None:
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        with closing(http.client.HTTPConnection("127.0.0.1", self._live.port)) as connection:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            assert response.status in (200, 302)
            told = SimpleCookie("; ".join(response.headers.get_all("Set-Cookie") or ()))
        self._cookies |= {name: each.value for name, each in told.items()}


def is_open(socket: ClientConnection) -> bool:
    socket.send('{"meta": {"command": "ping"}}')
    return bool(orjson.loads(socket.recv(5))["meta"]["event"] == "pong")


def close_code(socket: ClientConnection, *, within: float = 1.0) -> int | None:
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(within)
    return closed.value.rcvd and closed.value.rcvd.code


@contextmanager
def opened(socket: ClientConnection) -> Iterator[ClientConnection]:
    with socket:
        assert is_open(socket)
        yield socket


def device(live: LiveServer, token: str) -> str:
    """The id of the newest phone, which is the token's."""
    devices = live.get("/api/devices/", token=token).json["results"]
    id_: str = next(each["id"] for each in devices if each["name"] == "phone")
    return id_


def test_with_a_revoked_device(live: LiveServer) -> None:
    phone = live.manage("device_token", "phone")
    with opened(live.socket(token=phone)) as socket, opened(live.socket()) as another:
        assert live.request("DELETE", f"/api/devices/{device(live, phone)}/").status == 204
        assert close_code(socket) == 4401
        assert is_open(another)


def test_with_a_device_revoked_in_the_browser(live: LiveServer) -> None:
    phone = live.manage("device_token", "phone")
    browser = Browser(live)
    with opened(live.socket(token=phone)) as socket, opened(browser.socket()) as another:
        browser.post("/settings/devices/", act="revoke", id=device(live, phone))
        assert close_code(socket) == 4401
        assert is_open(another)


@pytest.mark.parametrize("path", ["/sign-out/", "/admin/logout/"])
def test_with_the_session_of_a_browser(live: LiveServer, path: str) -> None:
    browser, other = Browser(live), Browser(live)
    with (
        opened(browser.socket()) as socket,
        opened(other.socket()) as another,
        opened(live.socket()) as third,
    ):
        browser.post(path)
        assert close_code(socket) == 4401
        assert is_open(another)
        assert is_open(third)


def test_with_a_password_that_is_another_one(live: LiveServer) -> None:
    """A device stands on its token alone."""
    browser, other = Browser(live), Browser(live)
    with opened(other.socket()) as socket, opened(live.socket()) as of_device:
        browser.post("/settings/account/", password="a long enough one", password_again="a long enough one")
        assert close_code(socket) == 4401
        assert is_open(of_device)
    id_ = live.get("/api/people/").json["results"][0]["id"]
    with opened(browser.socket()) as socket, opened(live.socket()) as of_device:
        assert live.request("PATCH", f"/api/people/{id_}/", b'{"password": null}').status == 200
        assert close_code(socket) == 4401
        assert is_open(of_device)


def test_with_everything_of_the_persons(live: LiveServer) -> None:
    token = live.new_person("tidy")
    with opened(live.socket(token=token)) as socket:
        live.post("/api/delete-everything/", {"confirm": "tidy"}, token=token)
        assert close_code(socket) == 4401


def test_with_a_person_who_is_deactivated(live: LiveServer) -> None:
    token = live.new_person("leaver")
    people = live.get("/api/people/").json["results"]
    id_ = next(each["id"] for each in people if each["username"] == "leaver")
    with opened(live.socket(token=token)) as socket, opened(live.socket()) as another:
        assert live.request("PATCH", f"/api/people/{id_}/", b'{"active": false}').status == 200
        assert close_code(socket) == 4401
        assert is_open(another)


def test_with_a_person_who_was_deactivated_unheard(live: LiveServer) -> None:
    """Another process wrote the row, and nobody told this one: the check at each heartbeat finds out."""
    token = live.new_person("gone")
    with opened(live.socket(token=token)) as socket, opened(live.socket()) as another:
        live.manage("shell", "-v0", "-c", QUIETLY.format("gone"))
        assert close_code(socket, within=14) == 4401
        assert is_open(another)


def test_with_a_person_who_was_deactivated_in_another_process(new_server: MakeServer, redis_url: str) -> None:
    server = new_server(REDIS_URL=redis_url)
    server.start()
    token = server.new_person("gone")
    with opened(server.socket(token=token)) as socket, opened(server.socket()) as another:
        server.manage("shell", "-v0", "-c", DEACTIVATE.format("gone"))
        assert close_code(socket) == 4401
        assert is_open(another)


def test_an_extension_that_may_be_paired_gets_a_socket_by_its_ticket_alone(live: LiveServer) -> None:
    origin = f"chrome-extension://{EXTENSION}"
    with opened(live.socket(origin=origin)):
        pass
    cookie = {"Cookie": Browser(live).cookie}
    with live.open_socket(origin=origin, additional_headers=cookie) as refused:
        assert close_code(refused) == 4403
