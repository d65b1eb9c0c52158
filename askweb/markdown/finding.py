"""What a text defines for the rest of it: the targets of reference links, and footnotes."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field

from askweb.markdown.containers import Container, Flow, List, Note
from askweb.markdown.leaves import Block, Paragraph
from askweb.markdown.links import Target, definition_of, label_of


@dataclass
class Findings:
    """By label; the first of two definitions counts."""

    definitions: MutableMapping[str, Target] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)

    def take(self, blocks: Sequence[Block]) -> None:
        """Take the definitions of finished blocks, and out of their paragraphs."""
        for block in blocks:
            if isinstance(block, Note):
                self.notes.setdefault(label_of(block.label), block)
            if isinstance(block, Paragraph):
                self._take_definitions(block)
            for flow in _flows(block):
                self.take(flow.blocks)

    def _take_definitions(self, paragraph: Paragraph) -> None:
        count = 0
        for line in paragraph.lines:
            if not (found := definition_of(line)):
                break
            self.definitions.setdefault(*found)
            count += 1
        del paragraph.raw[:count]


def _flows(block: Block) -> Iterator[Flow]:
    if isinstance(block, List):
        yield from (item.inner for item in block.items)
    elif isinstance(block, Container):
        yield block.inner
