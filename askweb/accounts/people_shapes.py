"""The shapes in which owners see people and invitations. What they ask and store is nowhere in them."""

from dataclasses import asdict
from datetime import datetime
from typing import NotRequired, TypedDict
from uuid import UUID

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.limits.deciding import own_limits
from askweb.limits.usage import UsageShape


class LimitsShape(TypedDict):
    """What was set for the person alone; null is the server's."""

    runs_at_once: int | None
    runs_per_day: int | None
    storage: int | None


class PersonShape(TypedDict):
    id: UUID
    username: str
    name: str
    email: str
    role: Role
    active: bool
    joined: datetime
    last_sign_in: datetime | None
    has_password: bool
    limits: LimitsShape
    usage: UsageShape


class InvitationShape(TypedDict):
    """`url` is told once, when it is made."""

    id: UUID
    name: str
    email: str
    role: Role
    created: datetime
    expires_at: datetime
    url: NotRequired[str]


class SignInLinkShape(TypedDict):
    url: str
    expires_at: datetime


def person_shape(person: User, usage: UsageShape) -> PersonShape:
    limits: LimitsShape = asdict(own_limits(person))  # type: ignore[assignment] # these are its fields
    return {
        "id": person.pk,
        "username": person.get_username(),
        "name": person.get_full_name(),
        "email": person.email,
        "role": person.role,
        "active": person.is_active,
        "joined": person.date_joined,
        "last_sign_in": person.last_login,
        "has_password": person.has_usable_password(),
        "limits": limits,
        "usage": usage,
    }


def invitation_shape(invitation: Invitation) -> InvitationShape:
    return {
        "id": invitation.pk,
        "name": invitation.name,
        "email": invitation.email,
        "role": Role(invitation.role),
        "created": invitation.created,
        "expires_at": invitation.expires_at,
    }
