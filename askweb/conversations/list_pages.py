"""What the list of conversations leads to: its buttons, the sites behind conversations, and importing."""

from collections.abc import Mapping
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from askweb.conversations.changing import change_conversation, delete_conversation
from askweb.conversations.hosts import hosts_after
from askweb.conversations.importing import import_conversation
from askweb.conversations.models import Conversation
from askweb.conversations.shell import shell_of
from askweb.errors import FieldFault, Problem, invalid, too_large
from askweb.parsing import parse_json
from askweb.people import person_of

CHANGES: Mapping[str, Mapping[str, bool]] = {
    "pin": {"pinned": True},
    "unpin": {"pinned": False},
    "archive": {"archived": True},
    "unarchive": {"archived": False},
}


@login_required
@require_POST
def act_on_listed(request: HttpRequest) -> HttpResponse:
    """Do what a button of the list says: its name is the act, and its value the conversation's id."""
    act = next((name for name in (*CHANGES, "delete") if name in request.POST), "")
    conversation = _conversation(request, request.POST.get(act, ""))
    if act == "delete":
        place = _back(request, without=conversation)
        delete_conversation(conversation)
        return redirect(place)
    change_conversation(conversation, CHANGES[act])
    return redirect(_back(request))


@login_required
@require_safe
def hosts(request: HttpRequest) -> HttpResponse:
    found, following = hosts_after(person_of(request), request.GET.get("after", ""))
    shown = {**shell_of(request), "hosts": found, "following": following, "in_hosts": True}
    return render(request, "conversations/hosts.html", shown)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: HttpRequest) -> HttpResponse:
    try:
        if request.method == "POST":
            return redirect("conversation", import_conversation(person_of(request), _file(request)).pk)
    except Problem as problem:
        shown = {**shell_of(request), "problem": problem}
        return render(request, "conversations/import.html", shown, status=problem.status)
    return render(request, "conversations/import.html", shell_of(request))


def _file(request: HttpRequest) -> object:
    """What the file of the form holds; it may be as long as the body of a post."""
    file = request.FILES.get("file")
    if file is None:
        raise invalid({"file": [FieldFault(code="required", message=_("Choose a file."))]})
    if (file.size or 0) > settings.ASKWEB_BODY_LIMIT:
        raise too_large()
    try:
        return parse_json(file.read())
    except Problem as problem:
        message = _("This is not a file that AskWeb has saved: it is not JSON.")
        raise Problem(problem.code, message, status=problem.status) from problem


def _conversation(request: HttpRequest, id_: str) -> Conversation:
    try:
        return get_object_or_404(person_of(request).conversations, pk=UUID(id_))
    except ValueError as error:
        raise Http404 from error


def _back(request: HttpRequest, without: Conversation | None = None) -> str:
    """The page that the list was on, with the list in sight; home where that page is gone."""
    address = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(address, request.get_host(), require_https=request.is_secure())
    parts = urlsplit(address if is_ours else reverse("home"))
    gone = without is not None and parts.path == reverse("conversation", args=[without.pk])
    return parts._replace(path=reverse("home") if gone else parts.path, fragment="conversations").geturl()
