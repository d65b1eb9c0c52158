"""Pages in the language that their person chose. The API follows `Accept-Language`, which our scripts send."""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation
from django.utils.decorators import sync_and_async_middleware

from askweb.accounts.models import User

OF_PROGRAMS = ("/api/", "/v1/")


@sync_and_async_middleware
def interface_language(get_response: Any) -> Any:
    """Comes after the middleware that knows the person; `LocaleMiddleware` has chosen for strangers."""
    return _asynchronous(get_response) if iscoroutinefunction(get_response) else _synchronous(get_response)


def _synchronous(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(OF_PROGRAMS):
            _activate(request)
        return get_response(request)

    return answer


def _asynchronous(get_response: Callable[[HttpRequest], Awaitable[HttpResponseBase]]) -> Any:
    async def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(OF_PROGRAMS):
            await sync_to_async(_activate, thread_sensitive=True)(request)
        return await get_response(request)

    return answer


def _activate(request: HttpRequest) -> None:
    person = request.user
    if isinstance(person, User) and person.interface_language:
        translation.activate(person.interface_language)
        request.LANGUAGE_CODE = translation.get_language()
