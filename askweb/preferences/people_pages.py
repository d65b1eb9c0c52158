"""The pages of people, for owners alone: who is here, who is invited, and what each may do."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from askweb.accounts.changing import change_person
from askweb.accounts.invitations import Invitation
from askweb.accounts.inviting import invite
from askweb.accounts.links import invitation_url, new_sign_in_url
from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.audit.models import Act as Noted
from askweb.audit.noting import note
from askweb.cursors import read_id
from askweb.errors import Problem
from askweb.limits.usage import usage_of, usage_of_each
from askweb.people import owner_of
from askweb.preferences.people_forms import chosen_limits, server_limits, shown_limits
from askweb.preferences.showing import show

Act = Callable[[HttpRequest, User], HttpResponse]


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    owner_of(request)
    act = LISTING.get(request.POST.get("act", ""), _people)
    try:
        return act(request)
    except Problem as problem:
        return _people(request, problem)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, id_: UUID) -> HttpResponse:
    owner_of(request)
    found = get_object_or_404(User, pk=id_)
    act = ACTS.get(request.POST.get("act", ""), _person)
    try:
        return act(request, found)
    except Problem as problem:
        return _person(request, found, problem)


def _people(request: HttpRequest, problem: Problem | None = None, **shown: Any) -> HttpResponse:
    rows = User.objects.order_by("-is_active", "date_joined", "pk")
    usage = usage_of_each(rows)
    context = {
        "rows": [(each, usage[each.pk]) for each in rows],
        "invitations": Invitation.objects.pending(),
        "roles": Role.choices,
        "form": request.POST if problem else {"role": Role.READER.value},
        **shown,
    }
    return show(request, "people", context, problem)


def _invite(request: HttpRequest) -> HttpResponse:
    """The link is in this answer alone, so it leads to no other page."""
    fields = {name: request.POST.get(name, "") for name in ("name", "email", "role")}
    invitation, token = invite(fields)
    note(Noted.PERSON_INVITED, request, target=invitation.pk)
    return _people(request, invited=invitation, link=invitation_url(token))


def _revoke(request: HttpRequest) -> HttpResponse:
    row = get_object_or_404(Invitation.objects.pending(), pk=read_id(request.POST.get("invitation", "")))
    note(Noted.INVITATION_REVOKED, request, target=row.pk)
    row.delete()
    messages.success(request, _("The invitation of {name} is revoked.").format(name=row))
    return redirect("people")


def _person(request: HttpRequest, found: User, problem: Problem | None = None, **shown: Any) -> HttpResponse:
    posted = request.POST if problem and "role" in request.POST else None
    context = {
        "person": found,
        "usage": usage_of(found),
        "roles": Role.choices,
        "role": posted["role"] if posted else found.role,
        "limits": shown_limits(found, posted),
        "server": server_limits(found),
        **shown,
    }
    return show(request, "person", context, problem)


def _save(request: HttpRequest, found: User) -> HttpResponse:
    _change(request, found, {"role": request.POST.get("role"), "limits": chosen_limits(request.POST)})
    messages.success(request, _("It is saved."))
    return redirect("person", found.pk)


def _make_link(request: HttpRequest, found: User) -> HttpResponse:
    """As with invitations: the link is in this answer alone."""
    link = new_sign_in_url(found)
    note(Noted.LINK_MADE, request, target=found.pk)
    return _person(request, found, link=link)


def _deactivate(request: HttpRequest, found: User) -> HttpResponse:
    _change(request, found, {"active": False})
    messages.success(request, _("{name} can't sign in any more, and is signed out.").format(name=found))
    return redirect("person", found.pk)


def _activate(request: HttpRequest, found: User) -> HttpResponse:
    _change(request, found, {"active": True})
    messages.success(request, _("{name} can sign in again.").format(name=found))
    return redirect("person", found.pk)


def _forget_password(request: HttpRequest, found: User) -> HttpResponse:
    _change(request, found, {"password": None})
    messages.success(request, _("The password of {name} is forgotten. Give them a link.").format(name=found))
    return redirect("person", found.pk)


def _change(request: HttpRequest, found: User, fields: Mapping[str, Any]) -> None:
    change_person(found, fields)
    note(Noted.PERSON_CHANGED, request, target=found.pk)


LISTING: Mapping[str, Callable[[HttpRequest], HttpResponse]] = {"invite": _invite, "revoke": _revoke}
ACTS: Mapping[str, Act] = {
    "save": _save,
    "link": _make_link,
    "deactivate": _deactivate,
    "activate": _activate,
    "forget-password": _forget_password,
}
