"""The page of privacy: blocked hosts, what is stored of a host, and taking or deleting everything."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.errors import Problem
from askweb.people import person_of
from askweb.preferences.changing import change_settings
from askweb.preferences.deleting import DeletedShape, delete_everything
from askweb.preferences.hosts import shown as shown_host
from askweb.preferences.purging import conversations_of, purge, read_asked_host
from askweb.preferences.showing import show


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest) -> HttpResponse:
    act = ACTS.get(request.POST.get("act", ""))
    try:
        if act is None:
            return _privacy(request, _stored(request))
        return redirect(act(request))
    except Problem as problem:
        return _privacy(request, {}, problem)


def _privacy(request: HttpRequest, stored: Mapping[str, Any], problem: Problem | None = None) -> HttpResponse:
    person = person_of(request)
    hosts = [(host, shown_host(host)) for host in person.blocked_hosts]
    typed = request.POST.get("hosts")
    shown = {
        "hosts": hosts,
        "hosts_text": typed if typed is not None else "\n".join(name for _host, name in hosts),
        "typed_host": request.POST.get("host") or request.GET.get("host", ""),
        "temporary_minutes": 10,
        **stored,
    }
    return show(request, "privacy", shown, problem)


def _stored(request: HttpRequest) -> dict[str, Any]:
    """How much there is of the host that is asked about."""
    if not request.GET.get("host", "").strip():
        return {}
    host = read_asked_host(request.GET["host"])
    return {
        "stored": {
            "host": host,
            "name": shown_host(host),
            "count": len(conversations_of(person_of(request), host)),
        }
    }


def _block(request: HttpRequest) -> str:
    lines = [line.strip() for line in request.POST.get("hosts", "").splitlines()]
    change_settings(person_of(request), {"blocked_hosts": [line for line in lines if line]})
    messages.success(request, _("It is saved. Nothing from these hosts is stored, or sent, from now on."))
    return reverse("privacy")


def _purge(request: HttpRequest) -> str:
    host = read_asked_host(request.POST.get("host", ""))
    count = purge(person_of(request), host)
    told = ngettext("1 conversation was deleted.", "{count} conversations were deleted.", count)
    messages.success(request, told.format(count=count))
    return reverse("privacy")


def _delete_everything(request: HttpRequest) -> str:
    deleted = delete_everything(person_of(request), request.POST)
    note(Act.EVERYTHING_DELETED, request)
    messages.success(request, _deleted_in_words(deleted))
    return reverse("privacy")


def _deleted_in_words(deleted: DeletedShape) -> str:
    words = _(
        "Everything is deleted. Conversations: {conversations}, question sets: {question_sets}, images: {images}, "
        "tools: {tools}, providers: {providers}, remembered answers: {remembered_answers}, devices: {devices}."
    )
    return words.format(**deleted)


ACTS: Mapping[str, Callable[[HttpRequest], str]] = {
    "block": _block,
    "purge": _purge,
    "delete-everything": _delete_everything,
}
