"""The addresses of links that let people in."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.runs.data_folder import folder_lock


def sign_in_url(person: User) -> str:
    """Of a new link, good once and for 15 minutes."""
    return _served_at() + reverse("sign-in-link", args=[person.new_sign_in_link()])


def new_sign_in_url(person: User) -> str:
    """The same for whoever is not here to ask the server. Raises a 409 `Problem` for a person who may not sign in."""
    if not person.is_active:
        message = _("{name} is deactivated. Activate them first.").format(name=person)
        raise Problem("person.inactive", message, status=409)
    return sign_in_url(person)


def invitation_url(token: str) -> str:
    return _served_at() + reverse("invitation", args=[token])


def _served_at() -> str:
    """The server that runs on this data folder knows its address better than a command's environment."""
    return folder_lock.served_at() or settings.ASKWEB_URL
