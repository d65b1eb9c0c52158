"""The last door: only what the renderer can write passes, whatever it was made to write."""

from __future__ import annotations

import nh3
from pygments.token import STANDARD_TYPES

from askweb.markdown.tags import LIVE

BLOCKS = {"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p", "summary", "td", "th"}
FRAMES = {"code", "details", "div", "hr", "ol", "pre", "section", "table", "tbody", "thead", "tr", "ul"}
WORDS = {"a", "br", "del", "em", "input", "label", "span", "strong", "sup"}
ALIGNMENTS = {"left", "center", "right"}

CLEANER = nh3.Cleaner(
    tags=BLOCKS | FRAMES | WORDS | LIVE,
    clean_content_tags=set(),
    attributes={
        "a": {"href", "title"},
        "code": {"class"},
        "input": {"checked", "disabled"},
        "li": {"id"},
        "ol": {"start"},
        "sup": {"id"},
    },
    tag_attribute_values={
        **{tag: {"dir": {"auto"}} for tag in BLOCKS},
        "a": {"rel": {"noopener noreferrer"}, "target": {"_blank"}},
        "input": {"type": {"checkbox"}},
        "td": {"dir": {"auto"}, "align": ALIGNMENTS},
        "th": {"dir": {"auto"}, "align": ALIGNMENTS},
    },
    allowed_classes={
        "a": {"image"},
        "div": {"highlight", "math", "display"},
        "li": {"task"},
        "section": {"footnotes"},
        "span": {"math", "inline", "display", *filter(None, STANDARD_TYPES.values())},
    },
    url_schemes={"http", "https", "mailto"},
    link_rel=None,
)


def sanitised(html: str) -> str:
    return CLEANER.clean(html)
