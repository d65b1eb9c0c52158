"""How a request says whose it is: a device's bearer token, or the Control UI's session cookie."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from askweb.accounts.models import Device, User

BEARER = "bearer"


class DeviceAuthentication(BaseAuthentication):
    """`Authorization: Bearer <device token>`."""

    def authenticate(self, request: Request) -> tuple[User, Device] | None:
        scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != BEARER:
            return None
        device = Device.objects.for_token(token.strip())
        if device is None:
            raise AuthenticationFailed(_("This token is unknown or was revoked. Make or pair a new one."))
        device.note_use()
        return device.user, device

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class PersonAuthentication(SessionAuthentication):
    """The session cookie, with Django's CSRF protection."""

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
