"""What the pages of settings have in common: how they are shown, and how their faults are told."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _lazy

from askweb.conversations.shell import shell_of
from askweb.errors import Problem

LABELS: Mapping[str, Promise] = {
    "answer_language": _lazy("Language of the answers"),
    "interface_language": _lazy("Language of AskWeb"),
    "theme": _lazy("Appearance"),
    "name": _lazy("Name"),
    "old_password": _lazy("Your password"),
    "password": _lazy("New password"),
    "password_again": _lazy("The same once more"),
    "email": _lazy("E-mail"),
    "role": _lazy("Role"),
    "limits.runs_at_once": _lazy("Answers at once"),
    "limits.runs_per_day": _lazy("Answers a day"),
    "limits.storage": _lazy("Storage in MiB"),
    "base_url": _lazy("Address"),
    "api_key": _lazy("Key"),
    "default_model": _lazy("Model"),
    "capabilities": _lazy("Questions"),
    "models": _lazy("Models"),
    "scopes": _lazy("Scopes"),
}


def show(
    request: HttpRequest, page: str, shown: Mapping[str, Any], problem: Problem | None = None
) -> HttpResponse:
    """A page of settings; with a problem its status is the problem's."""
    context = {
        **shell_of(request),
        **shown,
        "in_settings": True,
        "problem": problem,
        "faults": list(_faults(problem)) if problem else [],
    }
    return render(request, f"settings/{page}.html", context, status=problem.status if problem else 200)


def _faults(problem: Problem) -> Iterator[str]:
    """Each fault in words, with what its field is called on the page."""
    for path, faults in problem.fields.items():
        label = LABELS.get(path)
        yield from (f"{label}: {fault['message']}" if label else fault["message"] for fault in faults)
