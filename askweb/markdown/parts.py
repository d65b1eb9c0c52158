"""What running text is made of, in the order it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from askweb.markdown.emphasis import Run
from askweb.markdown.math import Math


@dataclass(frozen=True)
class Opening:
    """An element's begin. `written` is shown instead where elements lie too deep inside each other."""

    tag: str
    written: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Closing:
    written: str = ""


@dataclass(frozen=True)
class NoteMark:
    label: str


Part = str | Element | Math | Run | Opening | Closing | NoteMark


def code(text: str) -> Element:
    element = Element("code")
    element.text = text
    return element


def link(address: str, title: str = "", kind: str = "") -> Opening:
    """A link that opens in a tab of its own and tells its target nothing."""
    attributes = {"href": address, "rel": "noopener noreferrer", "target": "_blank"}
    if title:
        attributes["title"] = title
    if kind:
        attributes["class"] = kind
    return Opening("a", attributes=attributes)
