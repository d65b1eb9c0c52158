"""System checks: what starts, but would not keep others out. The numbers are in docs/configuration.md."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name

from askweb.extensions import is_extension_id

SHORTEST_SECRET = 32


@register(Tags.security)
def check_address(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    return list(_faults_of_address(settings.ASKWEB_URL, settings.HOST))


@register(Tags.security)
def check_origins(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    return [
        Error(
            f"ASKWEB_ORIGINS holds {origin!r}, which is no origin, so it lets nobody in.",
            hint="Write scheme, host and port alone, such as https://ask.example.org or chrome-extension://<id>.",
            id="askweb.E005",
        )
        for origin in settings.ASKWEB_ORIGINS
        if not _is_origin(origin)
    ]


@register(Tags.security)
def check_extensions(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    return [
        Error(
            f"ASKWEB_EXTENSION_IDS holds {id_!r}, which is no extension's id, so it can't be paired.",
            hint="Copy the 32 letters from chrome://extensions.",
            id="askweb.E008",
        )
        for id_ in settings.ASKWEB_EXTENSION_IDS
        if not is_extension_id(id_)
    ]


@register(Tags.security)
def check_secrets(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    secrets = [("ASKWEB_SECRET_KEY", settings.SECRET_KEY)]
    secrets += [("ASKWEB_PROVIDER_KEYS", key) for key in settings.ASKWEB_PROVIDER_KEYS]
    return [
        Error(
            f"A secret in {name} has less than {SHORTEST_SECRET} characters, so it can be guessed.",
            hint="Make one: python -c 'import secrets; print(secrets.token_urlsafe(48))'",
            id="askweb.E006",
        )
        for name, secret in secrets
        if len(secret) < SHORTEST_SECRET
    ]


@register(Tags.security)
def check_data_folder(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    if not settings.DATA_DIR.exists() or not settings.DATA_DIR.stat().st_mode & 0o077:
        return []
    return [
        Warning(
            f"Other users of this machine may read the data folder {settings.DATA_DIR}: conversations, secrets.",
            hint=f"chmod 700 {settings.DATA_DIR}",
            id="askweb.W007",
        )
    ]


def _faults_of_address(url: str, host: str) -> Iterator[CheckMessage]:
    address = urlsplit(url)
    is_ours_alone = is_loopback(address.hostname or "")
    if not _is_origin(url):
        yield Error(
            f"ASKWEB_URL is {url}, of which forms and sockets need scheme, host and port alone.",
            hint="Set ASKWEB_URL=https://ask.example.org, without a path.",
            id="askweb.E004",
        )
    if settings.DEBUG and not is_ours_alone:
        yield Error(
            f"ASKWEB_DEBUG is on while ASKWEB_URL is {url}: whoever causes a fault reads settings and data.",
            hint="Leave ASKWEB_DEBUG out where others can reach it.",
            id="askweb.E001",
        )
    if address.scheme == "http" and not is_ours_alone:
        yield Warning(
            f"ASKWEB_URL is {url}: passwords, tokens and pages go over the network for everyone on it to read.",
            hint="Put a proxy with TLS before it and set ASKWEB_URL=https://…",
            id="askweb.W002",
        )
    if not is_loopback(host) and is_ours_alone:
        yield Warning(
            f"HOST is {host}, so other machines reach the port, but ASKWEB_URL is {url}, so they are refused.",
            hint="Set ASKWEB_URL to the address that they use, or HOST=127.0.0.1.",
            id="askweb.W003",
        )


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _is_origin(text: str) -> bool:
    """As browsers write it (RFC 6454, 6.2): no path, not even a slash."""
    try:
        parts = urlsplit(text)
        return (
            bool(parts.hostname)
            and text == f"{parts.scheme}://{parts.netloc}"
            and "@" not in text
            and parts.port != 0
        )
    except ValueError:
        return False
