"""Signing in and out."""

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from askweb.accounts.models import SignInLink

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_GET
def sign_in(request: HttpRequest) -> HttpResponse:
    """How to get in: AskWeb has no password to type until someone sets one."""
    return render(request, "accounts/sign_in.html")


@never_cache
@require_GET
def sign_in_with_link(request: HttpRequest, token: str) -> HttpResponse:
    """A link signs in once. HEAD is refused, so that a preview doesn't use it up."""
    person = SignInLink.objects.use(token)
    if person is None:
        return render(request, "accounts/sign_in.html", {"link_failed": True}, status=410)
    login(request, person, backend=BACKEND)
    return redirect("home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("sign-in")
