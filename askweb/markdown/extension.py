"""The extension: our blocks and running text in place of Markdown's, which keeps the frame around them."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable
from hashlib import blake2s
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.util import Registry

from askweb.markdown.containers import Flow
from askweb.markdown.finding import Findings
from askweb.markdown.sharing import Shared
from askweb.markdown.writing import Writer

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]")
SURROGATE = re.compile("[\ud800-\udfff]")


def cleaned(text: str) -> str:
    """Text with line ends as `\\n` and without control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return SURROGATE.sub("\ufffd", CONTROL.sub("", text))


class AnswerExtension(Extension):
    """Reads Markdown as models write it. `shared` is what a part of a text has in common with the others."""

    def __init__(self) -> None:
        super().__init__()
        self.shared = Shared()

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.preprocessors = Registry()
        md.preprocessors.register(Cleaning(md), "cleaning", 10)
        md.parser = AnswerParser(md, self)
        md.treeprocessors = Registry()
        md.postprocessors = Registry()
        md.registerExtension(self)
        self.md = md

    def reset(self) -> None:
        self.md.serializer = serialised  # only now: Markdown sets its own after the extensions


class Cleaning(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return cleaned("\n".join(lines)).removesuffix("\n").split("\n")


class AnswerParser(BlockParser):
    def __init__(self, md: Markdown, extension: AnswerExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def parseDocument(self, lines: Iterable[str]) -> ElementTree.ElementTree:  # noqa: N802
        lines = list(lines)
        flow = Flow()
        for line in lines:
            flow.feed(line)
        flow.end()
        found = Findings(ChainMap({}, self.extension.shared.definitions))
        found.take(flow.blocks)
        root = Element(self.md.doc_tag)
        Writer(found, _prefix(lines), self.extension.shared).write(root, flow.blocks)
        return ElementTree.ElementTree(root)


def serialised(root: Element) -> str:
    # Markdown's own serialiser leaves what looks like an entity unescaped
    return ElementTree.tostring(root, encoding="unicode", method="html")


def _prefix(lines: list[str]) -> str:
    """What ids begin with: several answers with footnotes stand on one page."""
    return "note-" + blake2s("\n".join(lines).encode(), digest_size=4).hexdigest()
