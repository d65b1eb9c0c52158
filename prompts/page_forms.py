"""What the pages of tools read from forms and addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _lazy

from prompts.contexts import TryOut
from prompts.models import Tool

SAMPLE_OF_KIND = {
    "page": "sample:page",
    "code": "sample:code",
    "stackoverflow": "sample:stack-overflow",
    "github": "sample:github",
    "pageSearch": "sample:page-search",
}
OPTION_WORDS = {
    "leftovers": (
        ("add", _lazy("is added in front of it")),
        ("omit", _lazy("is left out")),
    ),
    "budget": (
        ("head", _lazy("its beginning")),
        ("head_tail", _lazy("its beginning and its end")),
        ("relevant", _lazy("the parts that fit the question")),
    ),
    "questions": (
        ("auto", _lazy("where the model can")),
        ("always", _lazy("always")),
        ("never", _lazy("never")),
    ),
}
DEFAULT_CONTEXT = "sample:selection"


@dataclass(frozen=True)
class EditorForm:
    """The text in the editor, and what it is tried out on. `template` is None where no form was sent.

    `seen` is the fingerprint of the text that stood in the editor before it was changed.
    """

    template: str | None
    context: str
    pasted: str = ""
    question: str = ""
    language: str = ""
    search: str = ""
    seen: str = ""

    def asked(self, tried: TryOut) -> TryOut:
        """With the question that was typed and the language that was chosen, where they were."""
        text = self.question if self.question.strip() else tried.text
        return replace(tried, text=text, language=self.language or tried.language)


def read_editor_form(tool: Tool, fields: Mapping[str, str]) -> EditorForm:
    template = fields.get("template")
    return EditorForm(
        template=None if template is None else form_text(template),
        context=fields.get("context") or _default_context(tool),
        pasted=form_text(fields.get("pasted", "")),
        question=form_text(fields.get("question", "")),
        language=fields.get("language", ""),
        search=fields.get("search", "").strip()[:200],
        seen=fields.get("seen", ""),
    )


def read_settings(fields: Mapping[str, str]) -> dict[str, Any]:
    """What stands beside the template, as the API takes it."""
    kinds = (kind.strip() for kind in fields.get("kinds", "").split(","))
    texts = ("language", "provider", "model", "budget", "leftovers", "questions")
    options: dict[str, Any] = {name: fields.get(name, "") for name in texts}
    options |= {"system": form_text(fields.get("system", "")), "output_only": "output_only" in fields}
    options["temperature"] = _number(fields.get("temperature", ""))
    return {"name": fields.get("name", ""), "kinds": [kind for kind in kinds if kind], "options": options}


def form_text(text: str) -> str:
    """The text as it was typed: forms send line breaks as CR LF."""
    return text.replace("\r\n", "\n")


def current_text(tool: Tool) -> str:
    """What the editor opens with: the draft, else the text in use."""
    if tool.draft is not None:
        return tool.draft
    return tool.published.source if tool.published else ""


def fingerprint(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def owner_of(tool: Tool) -> str:
    return "shared" if tool.owner_id is None else "mine"


def tool_address(tool: Tool, page: str = "tool", **query: str) -> str:
    """The address of a page of the tool; it says whose, as two tools may share a slug."""
    asked = QueryDict(mutable=True)
    asked.update({"owner": owner_of(tool), **query})
    return f"{reverse(page, args=[tool.slug])}?{asked.urlencode()}"


def _default_context(tool: Tool) -> str:
    found = (SAMPLE_OF_KIND[kind] for kind in tool.kinds if kind in SAMPLE_OF_KIND)
    return DEFAULT_CONTEXT if "selection" in tool.kinds else next(found, DEFAULT_CONTEXT)


def _number(text: str) -> float | str | None:
    """Empty is none; what is no number is left to be refused by its reader."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        return text
