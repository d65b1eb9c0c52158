"""The address of a sign-in link."""

from django.conf import settings
from django.urls import reverse

from askweb.accounts.models import User


def sign_in_url(person: User) -> str:
    return settings.ASKWEB_URL + reverse("sign-in-link", args=[person.new_sign_in_link()])
