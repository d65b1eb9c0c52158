"""What the tests compare: the HTML without the attributes that every block or link has."""

import re

from askweb.conversations.rendering import render_reply
from askweb.markdown.streaming import BlockSplitter

EVERYWHERE = (' dir="auto"', ' rel="noopener noreferrer"', ' target="_blank"')
LATE = re.compile(r"\[\^|\]:")
"""What may lead from a block to another: see docs/adr/0006-live-blocks.md."""


def written(markdown: str) -> str:
    """Whatever the test is about, rendering it block by block gives the same."""
    html = render_reply(markdown)
    assert LATE.search(markdown) or in_blocks(markdown) == html
    for attribute in EVERYWHERE:
        html = html.replace(attribute, "")
    return html


def in_blocks(markdown: str) -> str:
    splitter = BlockSplitter()
    return "".join(block.html() for block in [*splitter.feed(markdown), *splitter.end()])
