"""The page that an invitation's link opens."""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from askweb.accounts.invitations import Invitation
from askweb.accounts.inviting import accept, gone
from askweb.accounts.pages import BACKEND
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.errors import Problem


@never_cache
@sensitive_post_parameters("password", "password_again")
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Opening the link uses nothing up: the form does, once it is right.

    What is wrong with it is told with a 200, and no method is refused: errors are logged with the address, and the
    token in it is still good.
    """
    invitation = Invitation.objects.for_token(token)
    if invitation is None:
        return render(request, "accounts/invitation.html", {"problem": gone()}, status=410)
    if request.method != "POST":
        return render(request, "accounts/invitation.html", {"invitation": invitation})
    try:
        person = accept(invitation, request.POST)
    except Problem as problem:
        return render(request, "accounts/invitation.html", {"invitation": invitation, "problem": problem})
    login(request, person, backend=BACKEND)
    note(Act.PERSON_ADDED, request, who=person, target=person.pk)
    return redirect("home")
