"""What browsers may do with what we send: see docs/adr/0007-content-security-policy.md."""

import secrets
from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

POLICY: Final = "Content-Security-Policy"
PERMISSIONS: Final = (
    "accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()"
)
TLS_ALONE: Final = "max-age=2592000"
"""For 30 days browsers come over TLS alone. It says nothing of subdomains, which are not ours."""

NOTHING: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""For what is no page: should a browser show it as one, nothing in it runs or loads."""

Answer = Callable[[HttpRequest], HttpResponseBase]
AsyncAnswer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def security_headers(get_response: Any) -> Any:
    """Give each page its policy and the nonce that its import map bears, as `request.csp_nonce`."""
    return _asynchronous(get_response) if iscoroutinefunction(get_response) else _synchronous(get_response)


def page_policy(host: str, nonce: str, *, leading_to: str = "") -> str:
    """The policy of our pages. Older Safari doesn't count the own socket as 'self', so it is named.

    `leading_to` is the other origin that the page's form redirects to.
    """
    forms = f"'self' {leading_to}".rstrip()
    own = f"'self' ws://{host} wss://{host}" if host else "'self'"
    return (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' data: blob:; "
        f"font-src 'self'; connect-src {own}; media-src 'self'; form-action {forms}; base-uri 'none'; "
        "frame-ancestors 'none'; object-src 'none'"
    )


def _synchronous(get_response: Answer) -> Answer:
    def answer(request: HttpRequest) -> HttpResponseBase:
        _give_nonce(request)
        return _protect(request, get_response(request))

    return answer


def _asynchronous(get_response: AsyncAnswer) -> AsyncAnswer:
    async def answer(request: HttpRequest) -> HttpResponseBase:
        _give_nonce(request)
        return _protect(request, await get_response(request))

    return answer


def _give_nonce(request: HttpRequest) -> None:
    request.csp_nonce = secrets.token_urlsafe(16)  # type: ignore[attr-defined]


def _protect(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """A response that brings a policy of its own keeps it; Django's debug pages are inline throughout."""
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    if settings.ASKWEB_URL.startswith("https://"):  # a proxy ends TLS, so the request itself doesn't tell
        response.headers.setdefault("Strict-Transport-Security", TLS_ALONE)
    if settings.DEBUG and response.status_code in (400, 404, 500):
        return response
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    nonce = request.csp_nonce  # type: ignore[attr-defined]
    response.headers.setdefault(POLICY, page_policy(_host(request), nonce) if is_page else NOTHING)
    return response


def _host(request: HttpRequest) -> str:
    try:
        return request.get_host()
    except DisallowedHost:
        return ""
