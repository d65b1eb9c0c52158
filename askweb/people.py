"""The person behind a request; every view looks things up through them."""

from django.http import Http404, HttpRequest
from rest_framework.request import Request

from askweb.accounts.models import ALL_SCOPES, Device, User
from askweb.accounts.roles import Role


def person_of(request: HttpRequest | Request) -> User:
    """Return the signed-in person. Views are reached by no one else, so anything else is a fault of ours."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("a view without authentication asked for its person")
    return user


def owner_of(request: HttpRequest | Request) -> User:
    """Return the signed-in owner; for anybody else there is nothing. A device must be allowed everything there is:
    what owners hand out, such as a sign-in link, lets into everything.
    """
    person = person_of(request)
    device = getattr(request, "auth", None)
    if person.role != Role.OWNER or (isinstance(device, Device) and not all(map(device.may, ALL_SCOPES))):
        raise Http404
    return person
