"""Who may open a socket: a cookie from our own pages, or a one-use ticket."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from channels.db import database_sync_to_async
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from askweb.accounts.models import SocketTicket, User

NOT_SIGNED_IN = 4401
FORBIDDEN_ORIGIN = 4403


class Refusal(Exception):
    """The socket is closed with this code; it was accepted first, so that a browser can see the code."""

    def __init__(self, close_code: int) -> None:
        super().__init__(str(close_code))
        self.close_code = close_code


async def admit(scope: Mapping[str, Any]) -> User:
    """Return the person. A ticket may come without Origin, from scripts; a cookie never."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get("origin")
    ticket = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("ticket")
    if origin is not None and not _is_ours(origin, headers.get("host", ""), scope):
        raise Refusal(FORBIDDEN_ORIGIN)
    person: User | None
    if ticket:
        person = await database_sync_to_async(SocketTicket.objects.use)(ticket[0])
    else:
        person = scope["user"] if scope["user"].is_authenticated else None
        if person is not None and origin is None:
            raise Refusal(FORBIDDEN_ORIGIN)
    if person is None:
        raise Refusal(NOT_SIGNED_IN)
    return person


def _is_ours(origin: str, host: str, scope: Mapping[str, Any]) -> bool:
    """The configured origins, and the one the page itself came from while its host is allowed."""
    if origin in (settings.ASKWEB_URL, *settings.ASKWEB_ORIGINS):
        return True
    domain, _port = split_domain_port(host)
    schemes = {"ws": "http", "wss": "https"}
    own = f"{schemes.get(scope.get('scheme', 'ws'), 'http')}://{host}"
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS) and _same(origin, own)


def _same(one: str, other: str) -> bool:
    first, second = urlsplit(one.lower()), urlsplit(other.lower())
    return (first.scheme, first.netloc) == (second.scheme, second.netloc)
