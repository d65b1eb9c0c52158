"""The words of a question as harmless HTML: inline Markdown only, since it stands inside a legend."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from askweb.markdown.extension import cleaned
from askweb.markdown.filling import fill
from askweb.markdown.inline import Reader
from askweb.markdown.sanitising import sanitised


def render_running_text(text: str) -> str:
    """Emphasis, code, links and math as HTML; what would be a block, such as a list, stays as it is written."""
    return sanitised(ElementTree.tostring(_read(text), encoding="unicode", method="html"))


def plain_words(text: str) -> str:
    """The words alone, in one line, for a title; as written where no words would be left."""
    root = _read(text)
    for line_break in root.iter("br"):
        line_break.text = " "
    return " ".join("".join(root.itertext()).split()) or " ".join(text.split())


def _read(text: str) -> Element:
    root = Element("span")
    fill(root, Reader(cleaned(text), {}, ()).read(), Element)
    return root
