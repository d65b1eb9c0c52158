"""A person's own password: set once, changed with the old one at hand."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.http import HttpRequest

from askweb.accounts.models import User
from askweb.errors import FieldFault, invalid

PATHS = {"old_password": "old_password", "new_password1": "password", "new_password2": "password_again"}


def set_password(request: HttpRequest, person: User, posted: Any) -> None:
    """Set the password, and sign them out everywhere but here. Raises a 422 `Problem` that lists every fault."""
    form = _form_of(person)(person, {field: posted.get(path, "") for field, path in PATHS.items()})
    if not form.is_valid():
        raise invalid(faults_of(form, PATHS))
    form.save()
    update_session_auth_hash(request, person)


def faults_of(form: Any, paths: Mapping[str, str]) -> dict[str, list[FieldFault]]:
    """What a form of Django's finds wrong, by what we call its fields."""
    return {
        paths.get(field, field): [_as_fault(error) for error in errors.as_data()]
        for field, errors in form.errors.items()
    }


def _form_of(person: User) -> "type[SetPasswordForm[User]]":
    """Django's: whoever has a password must know it to change it."""
    return PasswordChangeForm if person.has_usable_password() else SetPasswordForm


def _as_fault(error: Any) -> FieldFault:
    return FieldFault(code=error.code or "invalid", message=" ".join(error.messages))
