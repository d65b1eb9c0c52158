"""Signing in and out."""

from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from askweb.accounts.ending import end_access, session_group
from askweb.accounts.models import SignInLink

WANTED = "wanted"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_GET
def sign_in(request: HttpRequest) -> HttpResponse:
    """How to get in: AskWeb has no password to type until someone sets one."""
    wanted = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return render(request, "accounts/sign_in.html")
    if request.user.is_authenticated:  # meanwhile, by a link that was opened in another window
        return redirect(wanted)
    request.session[WANTED] = wanted
    return render(request, "accounts/sign_in.html", {"going_on": request.get_full_path()})


@never_cache
def sign_in_with_link(request: HttpRequest, token: str) -> HttpResponse:
    """A link signs in once, and leads on to the page that was wanted.

    Only GET uses it up: previews of links send HEAD. No method is refused with an error, since those are
    logged with the address, and the token in it is still good.
    """
    if request.method != "GET":
        return redirect("sign-in")
    wanted = request.session.pop(WANTED, None)
    person = SignInLink.objects.use(token)
    if person is None:
        return render(request, "accounts/sign_in.html", {"link_failed": True}, status=410)
    login(request, person, backend=BACKEND)
    return redirect(wanted or "home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    end_access(session_group(request.session.session_key or ""))
    logout(request)
    return redirect("sign-in")
