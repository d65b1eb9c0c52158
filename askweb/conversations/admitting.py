"""Who may open a socket: a cookie from our own pages, or a one-use ticket."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from channels.db import database_sync_to_async
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from askweb.accounts.access import Access
from askweb.accounts.models import SocketTicket
from askweb.extensions import extension_origins

NOT_SIGNED_IN = 4401
FORBIDDEN_ORIGIN = 4403


class Refusal(Exception):
    """The socket is closed with this code; it was accepted first, so that a browser can see the code."""

    def __init__(self, close_code: int) -> None:
        super().__init__(str(close_code))
        self.close_code = close_code


async def admit(scope: Mapping[str, Any]) -> Access:
    """Return whose socket it is. A ticket may come without Origin, from scripts, or from an extension; a cookie never."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    origin = headers.get("origin")
    ticket = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("ticket")
    is_extension = bool(ticket) and origin in extension_origins()
    if origin is not None and not is_extension and not _is_ours(origin, headers.get("host", ""), scope):
        raise Refusal(FORBIDDEN_ORIGIN)
    if ticket:
        access: Access = await database_sync_to_async(_by_ticket)(ticket[0])
        return access
    if not scope["user"].is_authenticated:
        raise Refusal(NOT_SIGNED_IN)
    if origin is None:
        raise Refusal(FORBIDDEN_ORIGIN)
    return Access(scope["user"], session_key=scope["session"].session_key)


def _by_ticket(token: str) -> Access:
    ticket = SocketTicket.objects.use(token)
    if ticket is None:
        raise Refusal(NOT_SIGNED_IN)
    return Access(ticket.user, ticket.device_id, ticket.session_key)


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
