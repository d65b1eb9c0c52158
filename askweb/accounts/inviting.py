"""Inviting somebody, and what an invited person does: they choose a name and a password, and are here."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.forms import UserCreationForm
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from askweb.accounts.invitations import NAME_LIMIT, Invitation
from askweb.accounts.models import User
from askweb.accounts.passwords import faults_of
from askweb.accounts.roles import Role
from askweb.errors import Problem, invalid
from prompts.fields import Reader, fault, one_of, read_body

PATHS = {"username": "username", "password1": "password", "password2": "password_again"}


class NewPerson(UserCreationForm):  # type: ignore[type-arg]
    """Django's: the name must be free, whatever its case, and the password no easy one."""

    class Meta:
        model = User
        fields = ("username",)


def invite(data: Any) -> tuple[Invitation, str]:
    """Return a new invitation and its token. Raises a 422 `Problem` that lists every fault."""
    fields = read_body(data, READERS)
    if "name" not in fields:
        raise invalid({"name": [fault(_("Say who it is for."), "missing")]})
    return Invitation.objects.issue(fields["name"], fields.get("email", ""), fields.get("role", Role.READER))


@transaction.atomic
def accept(invitation: Invitation, posted: Mapping[str, str]) -> User:
    """Make the person, and take the invitation away. Raises a 422 `Problem` for a name or password that won't do, a
    410 where it was accepted or revoked meanwhile.
    """
    form = NewPerson({field: posted.get(path, "") for field, path in PATHS.items()})
    person: User = form.instance
    person.first_name, person.email, person.role = invitation.name, invitation.email, Role(invitation.role)
    if not form.is_valid():
        raise invalid(faults_of(form, PATHS))
    if not invitation.take():
        raise gone()
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError as error:  # somebody else took the name a moment ago
        taken = fault(str(person.unique_error_message(User, ("username",)).message), "unique")
        raise invalid({"username": [taken]}) from error
    return person


def gone() -> Problem:
    message = _("This invitation was accepted or revoked, or is older than 7 days. Ask for a new one.")
    return Problem("invitation.gone", message, status=410)


def _name(value: Any) -> str:
    fits = isinstance(value, str) and 0 < len(value.strip()) <= NAME_LIMIT and value.strip().isprintable()
    if not fits:
        raise ValueError(_("Must be a name of at most {limit} characters.").format(limit=NAME_LIMIT))
    return str(value.strip())


def _email(value: Any) -> str:
    if value in ("", None):
        return ""
    try:
        validate_email(value)
    except (ValidationError, TypeError) as error:
        raise ValueError(_("Must be an e-mail address, or empty.")) from error
    if User.objects.filter(email__iexact=value, is_active=True).exists():
        raise ValueError(_("Somebody here has this address already."))
    return str(value)


def read_role(value: Any) -> Role:
    return Role(one_of(*Role.values)(value))


READERS: Mapping[str, Reader] = {"name": _name, "email": _email, "role": read_role}
