"""The tools that come with a release."""

import tomllib
from pathlib import Path
from typing import NotRequired, TypedDict

from django.db import transaction

from prompts.models import Tool
from prompts.tool_questions import ToolQuestion

DEFAULT_TOOLS = Path(__file__).with_name("default-tools.toml")


class ShippedTool(TypedDict):
    name: str
    names: dict[str, str]
    order: int
    kinds: list[str]
    hbs: str
    options: NotRequired[dict[str, object]]
    questions: NotRequired[list[ToolQuestion]]


@transaction.atomic
def load_shipped_tools() -> None:
    """Bring the shared tools up to this release.

    A text that staff published stays in use: only where the version in use was shipped does a changed
    text become the next one. Names, options and questions are set once, when a tool is new.
    """
    shipped: dict[str, ShippedTool] = tomllib.loads(DEFAULT_TOOLS.read_text(encoding="utf-8"))
    for slug, entry in shipped.items():
        tool, _created = Tool.objects.select_related("published").get_or_create(
            owner=None, slug=slug, defaults=_fields(entry)
        )
        if tool.published is None or (tool.published.shipped and tool.published.source != entry["hbs"]):
            tool.publish(entry["hbs"], shipped=True)


def _fields(entry: ShippedTool) -> dict[str, object]:
    return {
        "name": entry["name"],
        "names": entry["names"],
        "order": entry["order"],
        "kinds": entry["kinds"],
        "options": entry.get("options", {}),
        "questions": entry.get("questions", []),
    }
