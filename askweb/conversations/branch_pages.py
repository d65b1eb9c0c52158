"""Branches as plain forms: another answer, other words, the rest of an answer, and which branch is shown."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from askweb.accounts.models import User
from askweb.conversations.again import continue_reply, edit_message, regenerate_reply
from askweb.conversations.changing import show_branch
from askweb.conversations.forms import new_draft
from askweb.conversations.models import Message
from askweb.conversations.pages import find_conversation, find_message, newest_of, show_conversation
from askweb.conversations.posting import Posted
from askweb.conversations.tool_picker import tool_names
from askweb.errors import Problem
from askweb.ids import new_id
from askweb.people import person_of
from askweb.providers.models import Provider
from askweb.providers.shapes import local_models
from askweb.rates import PostingRate


@login_required
@require_POST
def show(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = find_message(request, id_)
    show_branch(found)
    return redirect(f"{reverse('conversation', args=[found.conversation_id])}#message-{found.pk}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, id_: UUID) -> HttpResponse:
    """A message of the person's in a form; what is posted asks in these words, on a branch beside it."""
    found = find_message(request, id_)
    if request.method != "POST":
        return render(request, "conversations/edit.html", _edit(found, found.content))
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        PostingRate().hold(request)
        edit_message(person_of(request), found, {"content": text, "meta": _meta(request.POST)})
    except Problem as problem:
        shown = _edit(found, text) | {"problem": problem}
        return render(request, "conversations/edit.html", shown, status=problem.status)
    return redirect(newest_of(found.conversation_id))


@login_required
@require_safe
def again(request: HttpRequest, id_: UUID) -> HttpResponse:
    """By which other tool or model a reply is to be written again."""
    person = person_of(request)
    shown = {
        "message": find_message(request, id_),
        "tools": tool_names(person).items(),
        "providers": _models(person),
        "nonce": new_id(),
    }
    return render(request, "conversations/again.html", shown)


@login_required
@require_POST
def regenerate(request: HttpRequest, id_: UUID) -> HttpResponse:
    return _answer(request, id_, regenerate_reply)


@login_required
@require_POST
def go_on(request: HttpRequest, id_: UUID) -> HttpResponse:
    return _answer(request, id_, continue_reply)


def _answer(request: HttpRequest, id_: UUID, act: Callable[[User, Message, Any], Posted]) -> HttpResponse:
    found = find_message(request, id_)
    try:
        PostingRate().hold(request)
        act(person_of(request), found, {"meta": _meta(request.POST)})
    except Problem as problem:
        conversation = find_conversation(request, found.conversation_id)
        return show_conversation(request, conversation, new_draft(), problem)
    return redirect(newest_of(found.conversation_id))


def _edit(message: Message, text: str) -> dict[str, Any]:
    return {"message": message, "text": text, "nonce": new_id()}


def _meta(posted: Mapping[str, str]) -> dict[str, str | None]:
    """The same form with the same fields acts once. Its `model` names a provider, too: `id/model`."""
    provider, _slash, model = posted.get("model", "").partition("/")
    fields = ("tool", "model", "text")
    digest = sha256("\0".join(posted.get(name, "") for name in fields).encode()).hexdigest()
    return {
        "client_id": f"{posted.get('nonce', '')[:64] or new_id()}:{digest[:32]}",
        "tool": posted.get("tool") or None,
        "provider": provider or None,
        "model": model or None,
        "surface": "control_ui",
    }


def _models(person: User) -> list[tuple[Provider, list[str]]]:
    """The providers that the person can choose from, each with the names of its models."""
    found = []
    for provider in Provider.objects.offered_to(person):
        known = local_models() if provider.is_local else provider.known_models
        names = [provider.default_model, *(each["id"] for each in known)]
        found.append((provider, list(dict.fromkeys(filter(None, names)))))
    return found
