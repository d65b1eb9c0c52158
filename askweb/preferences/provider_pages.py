"""The pages of providers: what answers, what could, and one provider with its key, model and trial."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.people import person_of
from askweb.preferences.provider_forms import (
    added_fields,
    changed_fields,
    questions_by_model,
    suggested_fields,
    with_questions,
)
from askweb.preferences.showing import show
from askweb.providers.changing import MOST_MODELS, add_provider, change_provider
from askweb.providers.checking import check, models_of
from askweb.providers.choosing import choose_model
from askweb.providers.errors import ProviderError
from askweb.providers.finding import find_now
from askweb.providers.models import LOCAL, Provider
from askweb.providers.noting import noting_shared
from askweb.providers.presets import preset_named, presets
from askweb.providers.shapes import local_models
from askweb.rates import PostingRate

Act = Callable[[HttpRequest, Provider], HttpResponse]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def providers(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if request.method == "POST":
        _find(request, person)
        return redirect("providers")
    rows = list(Provider.objects.offered_to(person))
    shown = {
        "rows": rows,
        "answering": _answering(person),
        "presets": [each for each in presets().values() if each.slug != LOCAL],
    }
    return show(request, "providers", shown)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_provider(request: HttpRequest) -> HttpResponse:
    """For one preset, or for any address."""
    named = request.GET.get("preset", "")
    preset = preset_named(named) if named != LOCAL else None
    shown = {"preset": preset, "form": suggested_fields(preset) | request.POST.dict()}
    if request.method != "POST":
        return show(request, "new_provider", shown)
    try:
        added = add_provider(person_of(request), added_fields(request.POST, preset))
    except Problem as problem:
        return show(request, "new_provider", shown, problem)
    messages.success(request, _("{name} is added. Test it now.").format(name=added.name))
    return redirect("provider", added.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def provider(request: HttpRequest, id_: UUID) -> HttpResponse:
    found = _offered(request, id_)
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        return _provider(request, found)
    is_editable = found.may_be_changed_by(person_of(request))
    if act is not _test and not is_editable:
        return _provider(request, found, problem=_not_yours())
    try:
        with noting_shared(request, id_) if is_editable else nullcontext():  # a test may teach us something
            return act(request, found)
    except Problem as problem:
        return _provider(request, found, problem=problem)


def _provider(
    request: HttpRequest, found: Provider, *, problem: Problem | None = None, **shown: Any
) -> HttpResponse:
    context = {
        "provider": found,
        "preset": preset_named(found.preset),
        "is_editable": found.may_be_changed_by(person_of(request)),
        "models": local_models() if found.is_local else found.known_models,
        "form": request.POST if problem else {},
        "questions": questions_by_model(found),
        **shown,
    }
    return show(request, "provider", context, problem)


def _save(request: HttpRequest, found: Provider) -> HttpResponse:
    change_provider(found, changed_fields(request.POST), person_of(request))
    messages.success(request, _("It is saved."))
    return redirect("provider", found.pk)


def _test(request: HttpRequest, found: Provider) -> HttpResponse:
    """What stands in the form is saved first, so that nothing else is tested than is seen."""
    PostingRate().hold(request)
    if found.may_be_changed_by(person_of(request)):
        found = change_provider(found, changed_fields(request.POST), person_of(request))
    return _provider(request, found, verdict=check(found))


def _list_models(request: HttpRequest, found: Provider) -> HttpResponse:
    PostingRate().hold(request)
    change_provider(found, changed_fields(request.POST), person_of(request))
    try:
        listed = models_of(found)
    except ProviderError as error:
        raise Problem(error.code, error.message, status=502) from error
    change_provider(found, {"models": listed[:MOST_MODELS]}, person_of(request))
    messages.success(request, _("The provider has {count} models.").format(count=len(listed)))
    return redirect("provider", found.pk)


def _make_default(request: HttpRequest, found: Provider) -> HttpResponse:
    change_provider(found, {"is_default": True}, person_of(request))
    told = _("{name} answers everybody from now on.") if found.shared else _("{name} answers from now on.")
    messages.success(request, told.format(name=found.name))
    return redirect("providers")


def _share(request: HttpRequest, found: Provider) -> HttpResponse:
    change_provider(found, {"shared": True}, person_of(request))
    messages.success(request, _("{name} answers everybody here, with your key.").format(name=found.name))
    return redirect("provider", found.pk)


def _keep(request: HttpRequest, found: Provider) -> HttpResponse:
    change_provider(found, {"shared": False}, person_of(request))
    messages.success(request, _("{name} is yours alone.").format(name=found.name))
    return redirect("provider", found.pk)


def _set_questions(request: HttpRequest, found: Provider) -> HttpResponse:
    change_provider(found, {"capabilities": with_questions(found, request.POST)}, person_of(request))
    messages.success(request, _("It is saved."))
    return redirect("provider", found.pk)


def _delete(request: HttpRequest, found: Provider) -> HttpResponse:
    found.delete()
    messages.success(request, _("{name} is deleted, and its key with it.").format(name=found.name))
    return redirect("providers")


ACTS: Mapping[str, Act] = {
    "save": _save,
    "test": _test,
    "models": _list_models,
    "default": _make_default,
    "share": _share,
    "keep": _keep,
    "questions": _set_questions,
    "delete": _delete,
}


def _find(request: HttpRequest, person: User) -> None:
    """Look for servers and keys on the machine; they are the owner's alone."""
    if not person.is_superuser:
        return
    find_now()
    count = Provider.objects.offered_to(person).filter(found=True).count()
    messages.success(request, _("Looked on this machine. Found: {count}.").format(count=count))


def _answering(person: User) -> dict[str, Any]:
    try:
        choice = choose_model(person)
    except Problem as problem:
        return {"problem": problem}
    return {"provider": choice.provider, "model": choice.model}


def _offered(request: HttpRequest, id_: UUID) -> Provider:
    return get_object_or_404(Provider.objects.offered_to(person_of(request)).select_related("user"), pk=id_)


def _not_yours() -> Problem:
    return Problem("forbidden", _("This provider is shared by all: only owners can change it."), status=403)
