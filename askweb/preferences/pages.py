"""The pages of settings that are about the person: languages and look, and remembered answers."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from askweb.accounts.models import Theme, User
from askweb.conversations.forms import answer_languages
from askweb.conversations.tool_picker import tool_names
from askweb.errors import Problem
from askweb.people import person_of
from askweb.preferences.changing import change_settings
from askweb.preferences.showing import show
from prompts.languages import SAME_AS_PAGE, SAME_AS_QUESTION, language_name

RULES = ("", SAME_AS_PAGE, SAME_AS_QUESTION)


@dataclass(frozen=True)
class Remembered:
    """An answer that is taken without asking, in words."""

    id: UUID
    tool: str
    question: str
    answer: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def general(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _general(request)
    posted = request.POST
    another = posted.get("another_language", "").strip()
    changes = {
        name: posted[name] for name in ("interface_language", "theme", "answer_language") if name in posted
    } | {"model_titles": "model_titles" in posted}
    try:
        change_settings(person_of(request), changes | ({"answer_language": another} if another else {}))
    except Problem as problem:
        return _general(request, problem)
    with translation.override(person_of(request).interface_language or translation.get_language()):
        messages.success(request, _("It is saved."))
    return redirect("settings")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def remembered_answers(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if request.method != "POST":
        return show(request, "remembered_answers", {"remembered": _remembered(person)})
    if (id_ := _id(request.POST.get("forget"))) is not None:
        person.remembered_answers.filter(pk=id_).delete()
    messages.success(request, _("It is forgotten: the question is asked again."))
    return redirect("remembered-answers")


def _general(request: HttpRequest, problem: Problem | None = None) -> HttpResponse:
    person = person_of(request)
    chosen = language_name(person.answer_language) if person.answer_language not in RULES else ""
    languages = answer_languages()
    shown = {
        "person": person,
        "themes": _themes(),
        "interface_languages": settings.LANGUAGES,
        "answer_languages": [*languages, *([chosen] if chosen and chosen not in languages else [])],
        "chosen_language": chosen or person.answer_language,
    }
    return show(request, "general", shown, problem)


def _themes() -> list[tuple[str, str]]:
    return [
        (Theme.SYSTEM, _("As the device is set")),
        (Theme.LIGHT, _("Light")),
        (Theme.DARK, _("Dark")),
    ]


def _remembered(person: User) -> list[Remembered]:
    names = tool_names(person)
    return [
        Remembered(
            row.pk,
            names.get(row.tool, row.tool),
            row.question.replace("_", " "),
            ", ".join(str(answer["value"]) for answer in row.values),
        )
        for row in person.remembered_answers.order_by("tool", "question")
    ]


def _id(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None
