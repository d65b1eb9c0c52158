"""Which conversations a list shows, by the parameters of its address."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.models import Conversations
from askweb.conversations.searching import search
from askweb.errors import FieldFault, invalid
from askweb.parsing import storable

FLAGS = {"true": True, "false": False}


def choose(person: User, parameters: Mapping[str, str]) -> Conversations:
    """Return the person's conversations by `q`, `url`, `host`, `pinned` and `archived` (else false).

    Empty parameters are as good as none. Raises a 422 `Problem` for a flag that is neither true nor false.
    """
    chosen: dict[str, object] = {"temporary": False, "archived": _flag(parameters, "archived") or False}
    if (pinned := _flag(parameters, "pinned")) is not None:
        chosen["pinned"] = pinned
    for parameter, column in (("url", "page_url"), ("host", "page_host")):
        if value := parameters.get(parameter):
            chosen[column] = storable(value)
    rows: Conversations = person.conversations.filter(**chosen)
    typed = parameters.get("q", "")
    return search(person, rows, typed) if typed.strip() else rows


def _flag(parameters: Mapping[str, str], name: str) -> bool | None:
    value = parameters.get(name) or None
    if value is None:
        return None
    if value not in FLAGS:
        raise invalid({name: [FieldFault(code="unknown", message=_("Must be true or false."))]})
    return FLAGS[value]
