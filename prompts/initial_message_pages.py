"""The Control UI's page of the initial message: the editor of tools, for the template of system messages."""

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from askweb.accounts.models import User
from askweb.conversations.asking import asking_of
from askweb.conversations.envelope import Envelope
from askweb.conversations.shell import shell_of
from askweb.errors import Problem
from askweb.people import person_of
from prompts.checking import check_template
from prompts.contexts import TryOut
from prompts.estimating import Estimator
from prompts.initial_message import change_initial_message
from prompts.models import Snippet
from prompts.page_forms import form_text
from prompts.previewing import Preview, values
from prompts.shapes import AssemblyShape, SentMessage
from prompts.system import default_source, start_system
from prompts.variables import Asking


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def initial_message(request: HttpRequest) -> HttpResponse:
    """The editor. A button that changes nothing, such as the preview's, shows the page again with its text."""
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        return _editor(request)
    try:
        act(request)
    except Problem as problem:
        return _editor(request, problem)
    return redirect("initial-message")


@login_required
@require_POST
def initial_message_preview(request: HttpRequest) -> HttpResponse:
    """The preview alone, for scripts."""
    return render(request, "prompts/_preview.html", _previewed(request))


def _save(request: HttpRequest) -> None:
    change_initial_message(person_of(request), {"template": _template(request)})
    messages.success(request, _("It is saved. Your new conversations begin with it."))


def _restore(request: HttpRequest) -> None:
    change_initial_message(person_of(request), {"template": None})
    messages.success(request, _("The shipped one is in use again."))


ACTS: Mapping[str, Callable[[HttpRequest], None]] = {"save": _save, "restore": _restore}


def _editor(request: HttpRequest, problem: Problem | None = None) -> HttpResponse:
    shown = {
        **shell_of(request),
        **_previewed(request),
        "in_settings": True,
        "owner": "mine",
        "is_editable": True,
        "is_shipped": person_of(request).initial_message is None,
        "problem": problem,
    }
    return render(request, "prompts/initial_message.html", shown, status=problem.status if problem else 200)


def _previewed(request: HttpRequest) -> dict[str, Any]:
    """What the text is worth: its errors, and how a conversation without any context would begin with it."""
    trial = copy(person_of(request))
    trial.initial_message = _template(request)
    source = default_source() if trial.initial_message is None else trial.initial_message
    verdict = check_template(source, Snippet.objects.reached_from(trial.pk))
    asking = asking_of(trial, Envelope(), "", None)
    return {
        "source": source,
        "verdict": verdict,
        "preview": None if verdict.errors else _preview(trial, asking),
        "values": values(asking, TryOut((), "", asking.now), verdict),
    }


def _template(request: HttpRequest) -> str | None:
    """What the editor holds: as it was sent, else as it is stored. None is the one that ships, which is
    followed as long as nothing in it was changed.
    """
    sent = request.POST.get("template")
    if sent is None:
        return person_of(request).initial_message
    text = form_text(sent)
    return None if text == default_source() else text


def _preview(person: User, asking: Asking) -> Preview:
    try:
        return Preview(_begun_with(start_system(person, None, asking)))
    except Problem as problem:
        return Preview(problem=problem)


def _begun_with(system: str) -> AssemblyShape:
    sent: list[SentMessage] = [{"role": "system", "content": system}] if system else []
    return {
        "messages": sent,
        "tool": None,
        "template_version": None,
        "parts": [],
        "tokens": Estimator().of_messages(sent),
        "warnings": [] if system else [_("It is empty, so conversations begin without a system message.")],
    }
