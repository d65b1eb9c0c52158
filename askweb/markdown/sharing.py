"""What the parts of one text have in common when they are rendered one after the other."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field

from askweb.markdown.highlighting import Painter
from askweb.markdown.limits import PADDING
from askweb.markdown.links import Target


@dataclass
class Shared:
    """The targets of reference links that are defined so far, and what is left of the whole text's budgets.

    `padding` counts the cells that may still be added to short rows of tables.
    """

    definitions: MutableMapping[str, Target] = field(default_factory=dict)
    painter: Painter = field(default_factory=Painter)
    padding: int = PADDING
