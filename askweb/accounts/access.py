"""What an open socket stands on: a device's token, or a session. A request is checked as it comes, a socket is not."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from askweb.accounts.ending import device_group, person_group, session_group
from askweb.accounts.models import Device, User


@dataclass(frozen=True)
class Access:
    """Whose it is, and by what: a device, or the session of a browser."""

    person: User
    device: UUID | None = None
    session_key: str = ""

    @property
    def groups(self) -> tuple[str, ...]:
        """Who is told when it ends."""
        by = device_group(self.device) if self.device else session_group(self.session_key)
        return (person_group(self.person.pk), by)


def lost(accesses: Collection[Access]) -> set[Access]:
    """Those whose person was deactivated, whose device was revoked, or whose session has ended. Three queries."""
    people = User.objects.filter(is_active=True).in_bulk({each.person.pk for each in accesses})
    devices = set(
        Device.objects.filter(pk__in={each.device for each in accesses if each.device}).values_list(
            "pk", flat=True
        )
    )
    sessions = Session.objects.filter(expire_date__gt=timezone.now()).in_bulk(
        {each.session_key for each in accesses if each.session_key}
    )
    return {each for each in accesses if not _stands(each, people, devices, sessions)}


def _stands(
    access: Access,
    people: Mapping[UUID, User],
    devices: Collection[UUID],
    sessions: Mapping[str, Session],
) -> bool:
    person = people.get(access.person.pk)
    if person is None:
        return False
    if access.device is not None:
        return access.device in devices
    session = sessions.get(access.session_key)
    return session is not None and _is_of(session, person)


def _is_of(session: Session, person: User) -> bool:
    """As Django decides for a request: another password ends the sessions of the one before."""
    data = session.get_decoded()
    hashes = (person.get_session_auth_hash(), *person.get_session_auth_fallback_hash())
    known = data.get(HASH_SESSION_KEY, "")
    return data.get(SESSION_KEY) == str(person.pk) and any(
        constant_time_compare(known, each) for each in hashes
    )
