"""The page on which a person approves what wants to be paired."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from askweb.accounts.device_fields import WORDS
from askweb.accounts.pairing import Wish, approve, read_wish
from askweb.errors import Problem
from askweb.extensions import OUR_EXTENSION
from askweb.people import person_of
from askweb.security_headers import POLICY, page_policy


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: HttpRequest) -> HttpResponse:
    try:
        wish = read_wish(request.GET.dict())
    except Problem as problem:
        return _page(request, {"problem": problem}, status=problem.status)
    match request.POST.get("act"):
        case "approve":
            return HttpResponseRedirect(approve(person_of(request), wish))
        case "cancel":
            return HttpResponseRedirect(wish.answered(error="access_denied"))
    return _ask(request, wish)


def _ask(request: HttpRequest, wish: Wish) -> HttpResponse:
    """The form leads to the extension in the end, which the page's policy must allow: see ADR 7."""
    shown = {
        "wish": wish,
        "words": [WORDS[scope] for scope in wish.scopes],
        "is_ours": wish.extension == OUR_EXTENSION,
    }
    response = _page(request, shown)
    nonce = request.csp_nonce  # type: ignore[attr-defined]
    back = f"https://{wish.extension}.chromiumapp.org"
    response.headers[POLICY] = page_policy(request.get_host(), nonce, leading_to=back)
    return response


def _page(request: HttpRequest, shown: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, "accounts/pair.html", shown, status=status)
