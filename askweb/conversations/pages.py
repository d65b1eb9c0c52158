"""The Control UI's pages: rendered on the server, usable as plain forms before any script runs."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from askweb.accounts.models import User
from askweb.conversations.changing import change_conversation, delete_conversation
from askweb.conversations.chips import raw_json
from askweb.conversations.entries import read_entry
from askweb.conversations.forms import Draft, answer_languages, new_draft, read_draft
from askweb.conversations.mentions import mentions_of
from askweb.conversations.models import Conversation, Message
from askweb.conversations.posting import post_conversation, post_message
from askweb.conversations.sent import functions_of, read_sent
from askweb.conversations.shell import shell_of
from askweb.conversations.tool_picker import PLAIN_TOOL, typed_tools
from askweb.conversations.transcript import read_transcript, title_of
from askweb.errors import Problem, with_headers
from askweb.people import person_of
from askweb.providers.choosing import choose_model
from askweb.rates import PostingRate
from askweb.runs.stopping import stop_run
from prompts.models import Assembly
from questions.panel import pending_panel


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _home(request, new_draft())
    draft = read_draft(request.POST)
    try:
        PostingRate().hold(request)
        posted = post_conversation(person_of(request), draft.envelope())
    except Problem as problem:
        return _home(request, draft, problem)
    return redirect(newest_of(posted.conversation.pk))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = find_conversation(request, id_)
    if request.method != "POST":
        return show_conversation(request, found, new_draft())
    draft = read_draft(request.POST)
    try:
        PostingRate().hold(request)
        post_message(person_of(request), found, draft.envelope())
    except Problem as problem:
        return show_conversation(request, found, draft, problem)
    return redirect(newest_of(found.pk))


@login_required
@require_POST
def stop(request: HttpRequest, id_: UUID) -> HttpResponse:
    for run in find_conversation(request, id_).runs.active():
        stop_run(run)
    return redirect(newest_of(id_))


@login_required
@require_POST
def delete(request: HttpRequest, id_: UUID) -> HttpResponse:
    delete_conversation(find_conversation(request, id_))
    return redirect("home")


@login_required
@require_POST
def rename(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = find_conversation(request, id_)
    try:
        change_conversation(found, {"title": request.POST.get("title", "")})
    except Problem as problem:
        return show_conversation(request, found, new_draft(), problem)
    return redirect("conversation", id_)


@login_required
@require_safe
def mentions(request: HttpRequest, id_: UUID) -> HttpResponse:
    """For scripts: what `@` offers in the composer."""
    return JsonResponse({"mentions": mentions_of(find_conversation(request, id_))})


@login_required
@require_safe
def message(request: HttpRequest, id_: UUID) -> HttpResponse:
    """One message as the transcript shows it, for scripts: with its chips, its outcome and its links."""
    entry = read_entry(person_of(request), find_message(request, id_))
    return render(request, "conversations/_message.html", {"entry": entry})


@login_required
@require_safe
def sent(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = find_message(request, id_)
    assembly = Assembly.objects.of_message(found).select_related("run").first()
    context: dict[str, Any] = {"message": found}
    if assembly is not None:
        shape, run = assembly.shape(), assembly.run
        messages = read_sent(person_of(request), shape["messages"])
        context |= {"assembly": shape, "run": run, "messages": messages, "functions": functions_of(run)}
    return render(request, "conversations/sent.html", context)


@login_required
@require_safe
def context(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = find_message(request, id_)
    items = [(item.kind, raw_json(item.value())) for item in found.context_items.all()]
    return render(request, "conversations/context.html", {"message": found, "items": items})


def _home(request: HttpRequest, draft: Draft, problem: Problem | None = None) -> HttpResponse:
    shown = {**shell_of(request), **_composer(request, draft, problem), "action": reverse("home")}
    return _render(request, "conversations/home.html", shown, problem)


def show_conversation(
    request: HttpRequest, found: Conversation, draft: Draft, problem: Problem | None = None
) -> HttpResponse:
    shown = {
        **shell_of(request),
        **_composer(request, draft, problem),
        "action": reverse("conversation", args=[found.pk]),
        "conversation": found,
        "title": title_of(found),
        "transcript": read_transcript(person_of(request), found, _id(request.GET.get("before"))),
        "panel": pending_panel(found),
        "active_run": found.active_run_id,
    }
    return _render(request, "conversations/conversation.html", shown, problem)


def _render(
    request: HttpRequest, template: str, shown: Mapping[str, Any], problem: Problem | None
) -> HttpResponse:
    response = render(request, template, shown, status=problem.status if problem else 200)
    return with_headers(response, problem)


def _composer(request: HttpRequest, draft: Draft, problem: Problem | None) -> dict[str, Any]:
    person = person_of(request)
    return {
        "draft": draft,
        "problem": problem,
        "tools": typed_tools(person),
        "chosen_tool": draft.tool or PLAIN_TOOL,
        "languages": answer_languages(),
        **_model(person),
    }


def _model(person: User) -> dict[str, Any]:
    """Who would answer now; or why nobody would, which the page says before anything is typed."""
    try:
        choice = choose_model(person)
    except Problem as problem:
        return {"no_model": problem}
    return {"model": choice.model, "is_local": choice.provider.is_local}


def _id(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None


def newest_of(conversation_id: UUID) -> str:
    return f"{reverse('conversation', args=[conversation_id])}#newest"


def find_conversation(request: HttpRequest, id_: UUID) -> Conversation:
    return get_object_or_404(person_of(request).conversations.for_list(), pk=id_)


def find_message(request: HttpRequest, id_: UUID) -> Message:
    return get_object_or_404(_messages(person_of(request)), pk=id_)


def _messages(person: User) -> QuerySet[Message]:
    return Message.objects.filter(conversation__user=person).complete_for_shape()
