"""Hosts as browsers write them: lower case, IDNA, addresses in their usual form, and without a port."""

import re
import socket
from collections.abc import Collection
from ipaddress import IPv6Address
from urllib.parse import unquote

import idna
from django.utils.translation import gettext as _

LONGEST = 253
LONGEST_WRITTEN = 4096
"""Characters; nothing longer can be a host, however it is escaped, and Punycode takes its time."""
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
IGNORED = str.maketrans("", "", "\t\r\n")
INSIDE = re.compile(r"(?i)(?:blob|view-source|filesystem):")
"""What may stand before the address of what it is about."""
SCHEME = re.compile(r"(?i)(?:(?:https?|wss?|ftp):/*|[a-z][a-z0-9+.-]*://|/{2,})")


def read_host(text: str) -> str:
    """Return the host that a person names, be it by a whole address or as `*.example.org`.

    Raises `ValueError` with words for the person.
    """
    host = host_of(re.sub(r"^(\*\.|\.)", "", text.strip()))
    if not _is_host(host):
        expected = _("“{text}” is not the name of a host, such as example.org.")
        raise ValueError(expected.format(text=text.strip()[:100]))
    return host


def host_of(url: str) -> str:
    """Return the host of what should be an address; the one a browser would find, empty where there is none.

    Clients may send anything, so without a scheme it is read as a browser's address bar would.
    """
    text = url.translate(IGNORED).strip().replace("\\", "/")
    while inside := INSIDE.match(text):
        text = text[inside.end() :]
    scheme = SCHEME.match(text)
    authority = re.split("[/?#]", text[scheme.end() :] if scheme else text, maxsplit=1)[0]
    host = _without_port(authority.rpartition("@")[2])
    return _usual(host) if len(host) <= LONGEST_WRITTEN else ""


def covering(host: str, blocked: Collection[str]) -> str | None:
    """Return the blocked host that this one is, or is a subdomain of."""
    labels = host.split(".")
    names = (".".join(labels[start:]) for start in range(len(labels)))
    return next((name for name in names if name in blocked), None)


def shown(host: str) -> str:
    """The host as people read it."""
    try:
        return idna.decode(host)
    except UnicodeError:
        return host


def _without_port(authority: str) -> str:
    if authority.startswith("["):
        return authority[1:].partition("]")[0]
    return authority if authority.count(":") > 1 else authority.partition(":")[0]


def _usual(host: str) -> str:
    host = unquote(host).lower()
    if ":" in host:
        return _usual_ipv6(host)
    host = _ascii(host).strip(".")
    if NUMBER.fullmatch(host.rpartition(".")[2]):
        return _usual_ipv4(host)
    return host


def _ascii(host: str) -> str:
    """Browsers take more than the standard allows, such as underscores and emoji."""
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except UnicodeError:
        pass
    try:
        return host.encode("idna").decode().lower()
    except UnicodeError:
        return host


def _usual_ipv4(host: str) -> str:
    """Also 127.1, 0x7f000001 and 017700000001, which browsers write out."""
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return host


def _usual_ipv6(host: str) -> str:
    try:
        return str(IPv6Address(host.partition("%")[0]))
    except ValueError:
        return host


def _is_host(host: str) -> bool:
    if ":" in host:
        return _usual_ipv6(host) == host and re.fullmatch("[0-9a-f:.]+", host) is not None
    labels = host.split(".")
    is_name = all(LABEL.fullmatch(label) for label in labels) and len(host) <= LONGEST
    is_number = NUMBER.fullmatch(labels[-1]) is not None
    return is_name and (not is_number or re.fullmatch(r"\d+(\.\d+){3}", host) is not None)
