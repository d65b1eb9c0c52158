"""What the pages of tools read from forms and addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.http import QueryDict
from django.urls import reverse

from prompts.contexts import TryOut
from prompts.models import Tool

SAMPLE_OF_KIND = {
    "page": "sample:page",
    "code": "sample:code",
    "stackoverflow": "sample:stack-overflow",
    "github": "sample:github",
    "pageSearch": "sample:page-search",
}
DEFAULT_CONTEXT = "sample:selection"


@dataclass(frozen=True)
class EditorForm:
    """The text in the editor, and what it is tried out on. `template` is None where no form was sent."""

    template: str | None
    context: str
    pasted: str = ""
    question: str = ""
    language: str = ""
    search: str = ""

    def asked(self, tried: TryOut) -> TryOut:
        """With the question that was typed and the language that was chosen, where they were."""
        text = self.question if self.question.strip() else tried.text
        return replace(tried, text=text, language=self.language or tried.language)


def read_editor_form(tool: Tool, fields: Mapping[str, str]) -> EditorForm:
    """Forms send line breaks as CR LF, whatever was typed."""
    template = fields.get("template")
    return EditorForm(
        template=None if template is None else _lines(template),
        context=fields.get("context") or _default_context(tool),
        pasted=_lines(fields.get("pasted", "")),
        question=_lines(fields.get("question", "")),
        language=fields.get("language", ""),
        search=fields.get("search", "").strip()[:200],
    )


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


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")
