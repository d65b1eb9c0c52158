"""Which network addresses a provider may have. A reader's provider must not be a way into the operator's network."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings

from askweb.accounts.models import User

if TYPE_CHECKING:
    from askweb.providers.models import Provider

NAT64 = IPv6Network("64:ff9b::/96")
LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
COMPATIBLE = IPv6Network("::/96")  # IPv4 addresses in the lowest bits, long deprecated
LOCAL_NAMES = ("localhost", "local", "internal", "lan", "home.arpa")
REFUSED = "The server may not call private addresses for you. Ask its operator, who can allow the host."


def is_public(address: str) -> bool:
    """Whether an IP address, in its usual form, is one of the Internet at large."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, IPv6Address):
        return all(_is_global(each) for each in _inside(ip) or [ip])
    return _is_global(ip)


def _inside(ip: IPv6Address) -> Sequence[IPv4Address | IPv6Address]:
    """The IPv4 addresses that an IPv6 address stands for, or that a tunnel would lead to."""
    lowest = IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.ipv4_mapped is not None:
        return [ip.ipv4_mapped]
    if ip.sixtofour is not None:
        return [ip.sixtofour]
    if ip.teredo is not None:
        return list(ip.teredo)
    return [lowest] if ip in COMPATIBLE or ip in NAT64 else []


def _is_global(ip: IPv4Address | IPv6Address) -> bool:
    special = (
        ip in LOCAL_NAT64
        or ip.is_multicast
        or ip.is_reserved
        or ip.is_unspecified
        or ip.is_loopback
        or ip.is_link_local
    )
    return ip.is_global and not special and not getattr(ip, "is_site_local", False)


def is_plainly_private(base_url: str) -> bool:
    """Whether the host is written as an address that isn't public, in any notation, or as a local name."""
    host = host_of(base_url)
    if any(host == name or host.endswith(f".{name}") for name in LOCAL_NAMES):
        return True
    try:
        return not is_public(socket.inet_ntoa(socket.inet_aton(host)))  # also 127.1, 0x7f000001, 017700000001
    except OSError:
        return ":" in host and not is_public(host)


def host_of(base_url: str) -> str:
    return (urlsplit(base_url).hostname or "").rstrip(".").lower()


def origin_of(base_url: str) -> str:
    """Where it is, without what may be a secret: path, query, and whatever else an address can hold."""
    try:
        parts = urlsplit(base_url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.scheme}://{host}{port}" if host else ""


def is_guarded(provider: Provider) -> bool:
    """Whether calls of this provider may only reach public addresses. Asks the database."""
    return provider.user is not None and may_not_reach(provider.user, provider.base_url)


def may_not_reach(person: User, base_url: str) -> bool:
    """Whether private addresses are closed to the person: not to the owner, nor to anybody who is alone here."""
    allowed = {host.rstrip(".").lower() for host in settings.ASKWEB_PRIVATE_HOSTS}
    if person.is_superuser or host_of(base_url) in allowed:
        return False
    return not person.is_alone()
