"""The tools that come with a release."""

import tomllib
from pathlib import Path
from typing import TypedDict

from django.db import transaction

from prompts.models import Tool

DEFAULT_TOOLS = Path(__file__).with_name("default-tools.toml")


class ShippedTool(TypedDict):
    name: str
    names: dict[str, str]
    order: int
    kinds: list[str]
    hbs: str


@transaction.atomic
def load_shipped_tools() -> None:
    """Bring the shared tools up to this release.

    A text that staff published stays in use: only where the version in use was shipped does a changed
    text become the next one.
    """
    shipped: dict[str, ShippedTool] = tomllib.loads(DEFAULT_TOOLS.read_text(encoding="utf-8"))
    for slug, entry in shipped.items():
        options = {"names": entry["names"]}
        defaults = {
            "name": entry["name"],
            "order": entry["order"],
            "kinds": entry["kinds"],
            "options": options,
        }
        tool, _created = Tool.objects.select_related("published").get_or_create(
            owner=None, slug=slug, defaults=defaults
        )
        source = entry["hbs"].strip("\n") + "\n"
        if tool.published is None or (tool.published.shipped and tool.published.source != source):
            tool.publish(source, shipped=True)
