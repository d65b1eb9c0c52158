"""The Control UI's pages: rendered on the server, usable as plain forms before any script runs."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from askweb.conversations.changing import delete_conversation
from askweb.conversations.envelope import read_envelope
from askweb.conversations.models import Conversation
from askweb.conversations.posting import post_conversation, post_message
from askweb.people import person_of
from askweb.runs.stopping import stop_run


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        posted = post_conversation(person_of(request), read_envelope({}))
        return redirect("conversation", posted.conversation.pk)
    return render(request, "conversations/home.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = _conversation(request, id_)
    if request.method == "POST":
        post_message(person_of(request), found, read_envelope({}))
        return redirect("conversation", found.pk)
    return render(request, "conversations/conversation.html")


@login_required
@require_POST
def stop(request: HttpRequest, id_: UUID) -> HttpResponse:
    for run in _conversation(request, id_).runs.active():
        stop_run(run)
    return redirect("conversation", id_)


@login_required
@require_POST
def delete(request: HttpRequest, id_: UUID) -> HttpResponse:
    delete_conversation(_conversation(request, id_))
    return redirect("home")


def _conversation(request: HttpRequest, id_: UUID) -> Conversation:
    return get_object_or_404(person_of(request).conversations.for_list(), pk=id_)
