"""Signing in and out."""

from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from askweb.accounts.ending import end_access, session_group
from askweb.accounts.models import SignInLink, User
from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.rates import SignInRate, limited

WANTED = "wanted"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@limited(SignInRate, method="POST")
def sign_in(request: HttpRequest) -> HttpResponse:
    """How to get in: by a password, once somebody here has set one, and by a link."""
    wanted = _wanted(request)
    if wanted and request.user.is_authenticated:  # meanwhile, by a link that was opened in another window
        return redirect(wanted)
    if wanted:
        request.session[WANTED] = wanted
    form = AuthenticationForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = request.session.pop(WANTED, "home")
        login(request, form.get_user())
        return redirect(wanted)
    going_on = request.get_full_path() if wanted else ""
    return _sign_in_page(request, form=form, going_on=going_on, status=422 if form.errors else 200)


@never_cache
@limited(SignInRate, method="GET")
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
        note(Act.SIGN_IN_FAILED, request)
        return _sign_in_page(request, link_failed=True, status=410)
    login(request, person, backend=BACKEND)
    return redirect(wanted or "home")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    end_access(session_group(request.session.session_key or ""))
    logout(request)
    return redirect("sign-in")


def _wanted(request: HttpRequest) -> str:
    """The page of ours that led here; empty where none did."""
    wanted = request.GET.get("next", "")
    is_ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    return wanted if is_ours else ""


def _sign_in_page(request: HttpRequest, *, status: int, **shown: object) -> HttpResponse:
    shown["with_password"] = User.objects.with_password().exists()
    return render(request, "accounts/sign_in.html", shown, status=status)
