"""The person's initial message: the template of the system messages of their new conversations."""

from typing import Any, TypedDict

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.asking import asking_of
from askweb.conversations.envelope import Envelope
from askweb.errors import Problem, invalid
from prompts.checking import TemplateFault, check_template, fault_shapes, refuse_faulty
from prompts.fields import fault, read_body, text
from prompts.models import Snippet
from prompts.system import default_source, start_system

LONGEST = 64 * 1024


class InitialMessageShape(TypedDict):
    """`template` as it is edited, `preview` as a conversation would begin with it now, null if it can't.

    `is_default`: it is the one that ships, and follows it.
    """

    template: str
    is_default: bool
    default: str
    preview: str | None
    errors: list[TemplateFault]
    warnings: list[TemplateFault]
    variables: list[str]


def initial_message_shape(person: User) -> InitialMessageShape:
    source = person.initial_message
    verdict = check_template(default_source() if source is None else source, _snippets(person))
    return {
        "template": default_source() if source is None else source,
        "is_default": source is None,
        "default": default_source(),
        "preview": None if verdict.errors else _preview(person),
        "errors": fault_shapes(verdict.errors),
        "warnings": fault_shapes(verdict.warnings),
        "variables": list(verdict.variables),
    }


def change_initial_message(person: User, data: Any) -> None:
    """Store `template`: null is the one that ships, an empty one is no system message at all.

    One with errors is refused with a 422 `Problem`, code `template.invalid`.
    """
    source = _read(data)
    if source is not None:
        refuse_faulty(check_template(source, _snippets(person)), "template")
    person.initial_message = source
    person.save(update_fields=["initial_message"])


def preview_initial_message(person: User, data: Any) -> InitialMessageShape:
    """What `template` would be, errors and all; nothing is stored."""
    person.initial_message = _read(data)
    return initial_message_shape(person)


def _read(data: Any) -> str | None:
    fields = read_body(data, {"template": lambda value: None if value is None else TEMPLATE(value)})
    if "template" not in fields:
        raise invalid({"template": [fault(_("This is needed."), "missing")]})
    source: str | None = fields["template"]
    return source


def _preview(person: User) -> str | None:
    try:
        return start_system(person, None, asking_of(person, Envelope(), "", None))
    except Problem:
        return None


def _snippets(person: User) -> dict[str, str]:
    return Snippet.objects.reached_from(person.pk)


TEMPLATE = text(LONGEST, blank=True, trimmed=False)
