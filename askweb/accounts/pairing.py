"""Pairing: a program asks for a device, the person approves, and a code that works once brings it the token.

OAuth 2.0's authorization code with PKCE (RFC 7636), as far as Chrome's `launchWebAuthFlow` speaks it.
"""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from secrets import compare_digest
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from askweb.accounts.device_fields import read_device
from askweb.accounts.models import Device, PairingCode, Scope, User
from askweb.errors import FieldFault, Problem, invalid
from askweb.extensions import extension_at
from askweb.limits.counting import admit_rows
from askweb.parsing import storable

CHALLENGE = re.compile(r"[\w-]{43}", re.ASCII)
STATE_LIMIT = 1000


@dataclass(frozen=True)
class Wish:
    """What a program wants: to be called so, to be allowed that, and to be answered there."""

    name: str
    scopes: tuple[Scope, ...]
    extension: str
    redirect_uri: str
    challenge: str
    state: str

    def answered(self, **answer: str) -> str:
        """The address that takes the answer back to the program."""
        return f"{self.redirect_uri}?{urlencode({**answer, 'state': self.state})}"


def read_wish(asked: Mapping[str, str]) -> Wish:
    """Read the query of `/pair/`. Raises a `Problem`; the person sees it, and it is never told by a redirect."""
    redirect_uri = asked.get("redirect_uri", "")
    extension = extension_at(redirect_uri)
    if extension is None:
        told = _("Only extensions that this server knows can be paired with it, and this is none of them.")
        raise Problem("pairing.redirect", told, status=400)
    if asked.get("code_challenge_method") != "S256" or not CHALLENGE.fullmatch(
        asked.get("code_challenge", "")
    ):
        told = _("The extension asked for this in a way that is not safe. Update it.")
        raise Problem("pairing.challenge", told, status=400)
    state = asked.get("state", "")
    if len(state) > STATE_LIMIT:
        told = _("Must have at most {limit} characters.").format(limit=STATE_LIMIT)
        raise invalid({"state": [FieldFault(code="invalid", message=told)]})
    name, scopes = read_device(asked.get("name", ""), asked.get("scopes", "").split())
    return Wish(name, scopes, extension, redirect_uri, asked["code_challenge"], state)


def approve(person: User, wish: Wish) -> str:
    """Return where to go with a code that is good once, for a minute."""
    code = PairingCode.objects.issue(
        person,
        name=wish.name,
        scopes=list(wish.scopes),
        redirect_uri=wish.redirect_uri,
        challenge=wish.challenge,
    )
    return wish.answered(code=code)


def redeem(data: Any) -> tuple[Device, str]:
    """Make the device of a code for whoever knows its verifier; return it with its token.

    A code is gone once it is tried, so that nobody tries verifiers. Raises a 422 `Problem`.
    """
    code, verifier = _read(data)
    row = PairingCode.objects.take(code)
    if row is None:
        told = _("This code is unknown, was used already, or is older than a minute. Pair again.")
        raise Problem("pairing.unknown", told)
    if not compare_digest(challenge_of(verifier), row.challenge):
        raise Problem("pairing.verifier", _("This code was made for someone else. Pair again."))
    if data.get("redirect_uri", row.redirect_uri) != row.redirect_uri:
        raise Problem("pairing.redirect", _("This code was sent to another address. Pair again."))
    admit_rows(row.user.devices.all())
    return row.user.new_device(row.name, row.scopes)


def challenge_of(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


def _read(data: Any) -> tuple[str, str]:
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    posted = [(name, data.get(name)) for name in ("code", "code_verifier")]
    texts = [storable(value) for _name, value in posted if isinstance(value, str) and value]
    if len(texts) < len(posted):
        missing = FieldFault(code="missing", message=_("This is needed."))
        raise invalid({name: [missing] for name, value in posted if not isinstance(value, str) or not value})
    return texts[0], texts[1]
