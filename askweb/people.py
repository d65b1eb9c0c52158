"""The person behind a request; every view looks things up through them."""

from django.http import HttpRequest
from rest_framework.request import Request

from askweb.accounts.models import User


def person_of(request: HttpRequest | Request) -> User:
    """Return the signed-in person. Views are reached by no one else, so anything else is a fault of ours."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("a view without authentication asked for its person")
    return user
