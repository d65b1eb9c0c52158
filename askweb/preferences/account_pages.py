"""The page of one's account: who one is here, what one has used, and the password."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from askweb.accounts.passwords import set_password
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.errors import Problem
from askweb.limits.usage import usage_of
from askweb.people import person_of
from askweb.preferences.showing import show


@never_cache
@login_required
@sensitive_post_parameters("old_password", "password", "password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _account(request)
    try:
        set_password(request, person_of(request), request.POST)
        note(Act.PASSWORD_CHANGED, request, target=person_of(request).pk)
    except Problem as problem:
        return _account(request, problem)
    messages.success(request, _("The password is set. Everywhere else you are signed out."))
    return redirect("account")


def _account(request: HttpRequest, problem: Problem | None = None) -> HttpResponse:
    person = person_of(request)
    shown = {"has_password": person.has_usable_password(), "usage": usage_of(person)}
    return show(request, "account", shown, problem)
