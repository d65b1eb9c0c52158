"""How a request says whose it is: a device's bearer token, or the Control UI's session cookie."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from askweb.accounts.models import Device, User
from askweb.accounts.tokens import bearer_token


class DeviceAuthentication(BaseAuthentication):
    """`Authorization: Bearer <device token>`."""

    def authenticate(self, request: Request) -> tuple[User, Device] | None:
        header = request.headers.get("Authorization", "")
        if bearer_token(header) is None:
            return None
        device = Device.objects.for_header(header)
        if device is None:
            raise AuthenticationFailed(_("This token is unknown or was revoked. Make or pair a new one."))
        return device.user, device

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class PersonAuthentication(SessionAuthentication):
    """The session cookie, with Django's CSRF protection."""

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
