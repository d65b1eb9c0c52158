"""Code blocks with their words coloured by class. The text stays exactly what it was."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from xml.etree.ElementTree import Element, SubElement

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import STANDARD_TYPES, _TokenType

from askweb.markdown.limits import HIGHLIGHTED, HIGHLIGHTED_LINE

LANGUAGE = re.compile(r"\{?[ \t]*\.?([\w+#.-]+)")


def language_of(info: str) -> str:
    """The first word of a fence's info string in lower case: "python" for `{.Python title="x"}`."""
    found = LANGUAGE.match(info)
    return found[1].lower() if found else ""


def code_block(text: str, language: str = "") -> Element:
    """`div.highlight > pre > code`, with the class `language-…` where the language was named."""
    block = Element("div", {"class": "highlight"})
    code = SubElement(SubElement(block, "pre"), "code", {"class": f"language-{language}"} if language else {})
    code.text = text
    if lexer := _lexer_for(text, language):
        _colour(code, text, lexer)
    return block


def _lexer_for(text: str, language: str) -> Lexer | None:
    if len(text) > HIGHLIGHTED or max(map(len, text.split("\n"))) > HIGHLIGHTED_LINE:
        return None
    name = _names().get(language)
    return _lexer(name) if name else None


@cache
def _names() -> dict[str, str]:
    # Pygments looks for plug-ins on each unknown name; a text of unknown names would take minutes
    return {alias: name for name, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases}


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer | None:
    found = find_lexer_class(name)
    return found(stripnl=False, ensurenl=False) if found else None


def _colour(code: Element, text: str, lexer: Lexer) -> None:
    tokens = list(lexer.get_tokens(text))
    if "".join(value for _, value in tokens) != text:
        return
    code.text = ""
    for kind, value in tokens:
        if name := _class_of(kind):
            SubElement(code, "span", {"class": name}).text = value
        elif len(code):
            code[-1].tail = (code[-1].tail or "") + value
        else:
            code.text += value


def _class_of(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES and kind.parent is not None:
        kind = kind.parent
    return STANDARD_TYPES.get(kind, "")
