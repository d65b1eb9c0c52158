"""Signing in and out, by whichever page: Django's own signals tell, since the admin and later pages do it, too."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from askweb.accounts.models import User
from askweb.audit.models import Act
from askweb.audit.noting import note


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: User, **kwargs: Any) -> None:
    note(Act.SIGNED_IN, request, who=user)


@receiver(user_logged_out)
def note_sign_out(request: HttpRequest, user: User | None, **kwargs: Any) -> None:
    if user is not None:
        note(Act.SIGNED_OUT, request, who=user)


@receiver(user_login_failed)
def note_failure(credentials: Mapping[str, Any], request: HttpRequest | None, **kwargs: Any) -> None:
    """What was typed is not kept: it may be a password in the wrong field. Whom it names is."""
    named = User.objects.filter(username=str(credentials.get("username", ""))).first()
    note(Act.SIGN_IN_FAILED, request, target=named.pk if named else "")
