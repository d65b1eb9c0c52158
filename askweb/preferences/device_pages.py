"""The page of devices: which programs act for the person, what each may do, and tokens made by hand."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from askweb.accounts.device_fields import WORDS, in_words, read_device
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.errors import Problem
from askweb.limits.counting import admit_rows
from askweb.people import person_of
from askweb.preferences.showing import show

SUGGESTED = ("ask", "read")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def devices(request: HttpRequest) -> HttpResponse:
    act = ACTS.get(request.POST.get("act", ""), _devices)
    try:
        return act(request)
    except Problem as problem:
        return _devices(request, problem)


def _devices(request: HttpRequest, problem: Problem | None = None, **shown: Any) -> HttpResponse:
    scopes = request.POST.getlist("scopes") if problem else SUGGESTED
    context = {
        "rows": [(each, in_words(each)) for each in person_of(request).devices.newest_first()],
        "choices": [(scope, words, scope in scopes) for scope, words in WORDS.items()],
        "typed_name": request.POST.get("name", "") if problem else "",
        "signed_in_until": request.session.get_expiry_date(),
        **shown,
    }
    return show(request, "devices", context, problem)


def _make(request: HttpRequest) -> HttpResponse:
    """The token is in this answer alone, so it leads to no other page."""
    name, scopes = read_device(request.POST.get("name", ""), request.POST.getlist("scopes"))
    admit_rows(person_of(request).devices.all())
    device, token = person_of(request).new_device(name, scopes)
    note(Act.DEVICE_MADE, request, target=device.pk)
    return _devices(request, made=device, token=token)


def _revoke(request: HttpRequest) -> HttpResponse:
    device = get_object_or_404(person_of(request).devices, pk=_id(request.POST.get("id", "")))
    id_ = device.pk
    device.revoke()
    note(Act.DEVICE_REVOKED, request, target=id_)
    messages.success(request, _("{name} is revoked: its token is refused from now on.").format(name=device))
    return redirect("devices")


ACTS: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {"make": _make, "revoke": _revoke}


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404 from error
