"""Pages are sent compressed, unless what somebody else wrote into an address could be told from their length (BREACH)."""

from inspect import iscoroutinefunction
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

ZIP: Final = GZipMiddleware(lambda _request: HttpResponse())
"""It adds a random length of up to 100 bytes. Tokens against forged requests are masked anew in each page."""


@sync_and_async_middleware
def compressed_pages(get_response: Any) -> Any:
    """Leave alone what is no page, such as streams, and pages that show what their query says."""

    async def answer_async(request: HttpRequest) -> HttpResponseBase:
        return _compress(request, await get_response(request))

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _compress(request, get_response(request))

    return answer_async if iscoroutinefunction(get_response) else answer


def _compress(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if not is_page or response.streaming or request.META["QUERY_STRING"]:
        return response
    return ZIP.process_response(request, response)
