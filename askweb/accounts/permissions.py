"""What a device may do: each view names the scopes that it needs for reading and for changing."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from askweb.accounts.models import Device, Scope
from askweb.errors import Problem

if TYPE_CHECKING:
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """A person in the Control UI may do everything of theirs; a device only what its scopes say."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if request.user is None:
            raise NotAuthenticated(_("Sign in, or send a device token."))
        device = request.auth
        if not isinstance(device, Device):
            return True
        scope: Scope = (
            getattr(view, "read_scope", "read")
            if request.method in SAFE_METHODS
            else getattr(view, "scope", "ask")
        )
        require_scope(device, scope)
        return True


class HasScopeOrIsItself(HasScope):
    """A device may give up its own token, whatever its scopes are."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        is_itself = isinstance(request.auth, Device) and request.auth.pk == view.kwargs["id_"]
        return is_itself or super().has_permission(request, view)


def require_scope(device: Device, scope: Scope) -> None:
    """Raise a 403 `Problem` with code `auth.scope` when the device may not do what needs this scope."""
    if not device.may(scope):
        message = _("This device may not do that: it lacks the scope {scope}.").format(scope=scope)
        raise Problem("auth.scope", message, status=403)
