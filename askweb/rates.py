"""How often: signing in and pairing from one network, posting by one person. What each rate allows is a setting.

How much a person may run and store is in `askweb.limits`.
Rates are counted in Django's cache, which processes share where there is Redis.
"""

import logging
from collections.abc import Callable
from functools import wraps
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle

from askweb.accounts.models import User
from askweb.errors import Problem, too_often, with_headers
from askweb.people import person_of

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponse]
CLOCKS_DIFFER = 60
"""Seconds, at most, from one machine to another."""


class Rate(SimpleRateThrottle):
    """A throttle whose rate is that of its scope in ASKWEB_RATES; None is no limit."""

    scope: Literal["sign_in", "pairing", "posting"]

    def get_rate(self) -> str | None:
        rate: str | None = settings.ASKWEB_RATES[self.scope]
        return rate

    def allow_request(self, request: Any, view: Any) -> bool:
        """While Redis is away nobody is held up: to answer is worth more than to count. What was counted at a time to
        come is forgotten: the clock was set back.
        """
        try:
            if super().allow_request(request, view):
                return True
            if self.history[0] <= self.now + CLOCKS_DIFFER:
                return False
            self.cache.delete(self.key)
            return bool(super().allow_request(request, view))
        except RedisError:
            logger.warning("rates are not counted: Redis does not answer")
            return True

    def hold(self, request: HttpRequest) -> None:
        """Raise a 429 `Problem` when this is too often, where no view of Django REST framework's does."""
        if not self.allow_request(request, None):
            raise too_often(self.wait())

    def _key(self, who: object) -> str:
        return self.cache_format % {"scope": self.scope, "ident": who}


class RateOfNetwork(Rate):
    def get_cache_key(self, request: Any, view: Any) -> str:
        return self._key(network_of(address_of(request)))


class SignInRate(RateOfNetwork):
    scope = "sign_in"


class PairingRate(RateOfNetwork):
    scope = "pairing"


class PostingRate(Rate):
    """Of what asks a model, or costs as much. Whoever is alone here has no one to take anything from."""

    scope = "posting"

    def __init__(self, person: User | None = None) -> None:
        super().__init__()
        self._person = person

    def allow_request(self, request: Any, view: Any) -> bool:
        if request.method in SAFE_METHODS:
            return True
        return super().allow_request(request, view) or self._who(request).is_alone()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return self._key(self._who(request).pk.hex)

    def _who(self, request: HttpRequest | Request) -> User:
        return self._person or person_of(request)


def limited(rate: type[Rate], *, method: str) -> Callable[[View], View]:
    """A page that answers with words when requests of this method come too often."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            try:
                if request.method == method:
                    rate().hold(request)
            except Problem as problem:
                return _page(request, problem)
            return view(request, *args, **kwargs)

        return answer

    return decorate


def _page(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Django would log the address, and the token in that of a link is still good."""
    response = render(request, "429.html", {"problem": problem}, status=problem.status)
    response._has_been_logged = True  # type: ignore[attr-defined]
    return with_headers(response, problem)


def address_of(request: HttpRequest | Request) -> str:
    """Where it came from: the other end, or what the last of ASKWEB_PROXIES proxies saw there."""
    return str(BaseThrottle().get_ident(request))  # type: ignore[arg-type]


def network_of(address: str) -> str:
    """What one subscriber has: an IPv4 address, or 64 bits of IPv6."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else address
