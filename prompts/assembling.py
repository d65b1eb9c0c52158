"""Assembly: from the raw context of one post to exactly what is sent to the model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from django.utils.translation import gettext as _

from askweb.conversations.envelope import Item
from askweb.errors import Problem
from askweb.providers.history import repair_history
from prompts.estimating import estimate_content, estimate_tokens
from prompts.fencing import fence
from prompts.forms import default_form
from prompts.handlebars import TemplateError
from prompts.models import Tool
from prompts.rendering import published_template
from prompts.shapes import AssemblyShape, Part, SentMessage
from prompts.variables import Asking, is_used, uses_input, variables


@dataclass(frozen=True)
class Turn:
    """The new user message as it is sent, and how it came about."""

    text: str
    tool: str | None = None
    template_version: int | None = None
    parts: Sequence[Part] = ()
    warnings: Sequence[str] = field(default=())


def assemble(
    system: str, history: Sequence[SentMessage], turn: Turn, following: Sequence[SentMessage] = ()
) -> AssemblyShape:
    """Put system message, earlier turns as they were sent, the new turn and what follows it together, in an
    order that any provider takes.
    """
    messages: list[SentMessage] = [{"role": "system", "content": system}] if system else []
    messages += [*history, {"role": "user", "content": turn.text}, *following]
    return assembly_of(cast(list[SentMessage], repair_history(messages)), turn)


def assembly_of(messages: Sequence[SentMessage], turn: Turn) -> AssemblyShape:
    """Say that these messages are sent, and how the turn among them came about."""
    return {
        "messages": list(messages),
        "tool": turn.tool,
        "template_version": turn.template_version,
        "parts": list(turn.parts),
        "tokens": sum(estimate_content(message.get("content")) for message in messages),
        "warnings": list(turn.warnings),
    }


def finished_turn(text: str) -> Turn:
    """A prompt that the client assembled itself (`meta.assembled`): it is sent as it is."""
    _refuse_empty(text)
    return posted_turn(text)


def posted_turn(text: str) -> Turn:
    """A turn that is sent as it was posted, be it empty."""
    return Turn(text, parts=[_part("chat.input", text)])


def build_turn(tool: Tool, asking: Asking, items: Sequence[Item]) -> Turn:
    """Render the tool's template; what it doesn't use of context and input is added around it.

    A template that uses everything is sent as it renders, trimmed. An empty result is refused.
    """
    version = tool.published
    if version is None:
        raise Problem(
            "tool.unpublished", _("The tool {name} has no published template.").format(name=tool.name)
        )
    try:
        template = published_template(version.pk, version.source)
        body = template.render(variables(asking, items)).strip()
    except TemplateError as error:
        message = _("The template of {name} failed: {fault}").format(name=tool.name, fault=error.message)
        raise Problem("tool.template", message) from error
    parts = [_part("template", body)]
    leftovers, left_parts = _leftovers(items, template.variables, omit=tool.omits_leftovers)
    if asking.text.strip() and not uses_input(template.variables):
        body = f"{body}\n\n{asking.text}".strip()
        parts.append(_part("chat.input", asking.text))
    if leftovers:
        body = _below_reference(leftovers, body)
    _refuse_empty(body)
    warnings = [each.message for each in template.warnings]
    return Turn(body, tool.slug, version.number, [*left_parts, *parts], warnings)


def _below_reference(leftovers: str, body: str) -> str:
    reference = fence(f"\n{leftovers}\n", "reference")
    return f"{reference}\n\nUserPrompt:\n{body}" if body else reference


def _leftovers(items: Sequence[Item], paths: Sequence[str], *, omit: bool) -> tuple[str, list[Part]]:
    """The default forms of the items that the template doesn't use, and one part for each item."""
    forms: list[str] = []
    parts: list[Part] = []
    for item in items:
        if is_used(item, paths, items):
            parts.append(Part(name=item.kind, kept=0, cut=0, left_out=None, tokens=0))
        elif omit:
            parts.append(_part(item.kind, "", _("This tool leaves out what its template doesn't use.")))
        else:
            form = default_form(item)
            forms.append(form)
            parts.append(_part(item.kind, form, None if form else _("It is empty.")))
    return "\n".join(filter(None, forms)), parts


def _part(name: str, text: str, left_out: str | None = None) -> Part:
    return Part(name=name, kept=len(text), cut=0, left_out=left_out, tokens=estimate_tokens(text))


def _refuse_empty(text: str) -> None:
    if not text.strip():
        raise Problem(
            "prompt.empty", _("There is nothing to ask yet: write a question, or select something.")
        )
