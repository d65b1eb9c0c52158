"""A person's settings: read field by field, all faults at once."""

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from django.conf import settings
from django.utils.translation import gettext as _

from askweb.accounts.models import Theme, User
from askweb.errors import FieldFault, Problem, invalid
from askweb.parsing import storable
from askweb.preferences.hosts import read_host

MOST_HOSTS = 500
LANGUAGE_LIMIT = 100


class SettingsShape(TypedDict):
    """`blocked_hosts` are as browsers write them; each blocks its subdomains, too. What is not set is empty."""

    answer_language: str
    interface_language: str
    theme: str
    model_titles: bool
    blocked_hosts: list[str]


def settings_shape(person: User) -> SettingsShape:
    return {
        "answer_language": person.answer_language,
        "interface_language": person.interface_language,
        "theme": person.theme,
        "model_titles": person.model_titles,
        "blocked_hosts": person.blocked_hosts,
    }


def change_settings(person: User, data: Any) -> None:
    """Change what is named; with any fault nothing is changed. Raises a 422 `Problem`."""
    if not isinstance(data, Mapping):
        raise Problem("invalid", _("The body must be a JSON object."))
    faults: dict[str, list[FieldFault]] = {}
    read = {
        name: value for name, posted in data.items() if (value := _read(name, posted, faults)) is not None
    }
    if faults:
        raise invalid(faults)
    for name, value in read.items():
        setattr(person, name, value)
    person.save(update_fields=list(read))


def read_hosts(values: Any, faults: dict[str, list[FieldFault]]) -> list[str]:
    """The hosts, each once, as browsers write them. A fault has the path of its line, counted from 0."""
    path = "blocked_hosts"
    if not isinstance(values, list) or len(values) > MOST_HOSTS:
        expected = _("Must be a list of at most {most} hosts.").format(most=MOST_HOSTS)
        faults[path] = [FieldFault(code="invalid", message=expected)]
        return []
    hosts: dict[str, None] = {}
    for place, value in enumerate(values):
        try:
            hosts[read_host(value if isinstance(value, str) else "")] = None
        except ValueError as error:
            faults[f"{path}[{place}]"] = [FieldFault(code="host.invalid", message=str(error))]
    return list(hosts)


def _read(name: str, value: Any, faults: dict[str, list[FieldFault]]) -> object:
    if name == "blocked_hosts":
        return read_hosts(value, faults)
    try:
        return READERS[name](value)
    except KeyError:
        faults[name] = [FieldFault(code="unknown", message=_("There is no such setting."))]
    except ValueError as error:
        faults[name] = [FieldFault(code="invalid", message=str(error))]
    return None


def _answer_language(value: Any) -> str:
    text = unicodedata.normalize("NFC", storable(value).strip()) if isinstance(value, str) else None
    if text is None or len(text) > LANGUAGE_LIMIT or not (text.isprintable()):
        expected = _("Must be a language, “page”, “question” or empty, of at most {limit} characters.")
        raise ValueError(expected.format(limit=LANGUAGE_LIMIT))
    return text


def _one_of(known: list[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            names = ", ".join(each or "“”" for each in known)
            raise ValueError(_("Must be one of {names}.").format(names=names))
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("Must be true or false."))
    return value


READERS: Mapping[str, Callable[[Any], object]] = {
    "answer_language": _answer_language,
    "interface_language": _one_of(["", *(code for code, _name in settings.LANGUAGES)]),
    "theme": _one_of(Theme.values),
    "model_titles": _flag,
}
