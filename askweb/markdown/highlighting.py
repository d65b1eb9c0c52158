"""Code blocks with their words coloured by class. The text stays exactly what it was."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from time import thread_time
from xml.etree.ElementTree import Element, SubElement

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class, get_all_lexers
from pygments.token import STANDARD_TYPES, _TokenType

from askweb.markdown.limits import (
    HIGHLIGHTED,
    HIGHLIGHTED_LINE,
    HIGHLIGHTING_PER_CHARACTER,
    HIGHLIGHTING_SECONDS,
)

COLOURED = frozenset(
    (
        *("bash", "powershell", "batch", "docker", "make", "cmake", "nginx", "console", "diff"),
        *("c", "cpp", "csharp", "java", "kotlin", "scala", "go", "rust", "swift", "objective-c", "dart"),
        *("python", "pycon", "ruby", "perl", "php", "lua", "r", "julia", "matlab", "fortran", "vb.net"),
        *("javascript", "typescript", "html", "xml", "css", "scss", "graphql", "protobuf", "vue"),
        *("json", "yaml", "toml", "ini", "sql", "postgresql", "mysql", "latex", "markdown", "http"),
        *(
            "haskell",
            "ocaml",
            "elixir",
            "erlang",
            "clojure",
            "common-lisp",
            "scheme",
            "zig",
            "groovy",
            "terraform",
        ),
    )
)

Token = tuple[_TokenType, str]

LANGUAGE = re.compile(r"\{?[ \t]*\.?([\w+#.-]+)")


def language_of(info: str) -> str:
    """The first word of a fence's info string in lower case: "python" for `{.Python title="x"}`."""
    found = LANGUAGE.match(info)
    return found[1].lower() if found else ""


class Painter:
    """Writes the code blocks of one text. Lexers may need quadratic time, so they share a budget of it."""

    def __init__(self) -> None:
        self.seconds = HIGHLIGHTING_SECONDS

    def code_block(self, text: str, language: str = "") -> Element:
        """`div.highlight > pre > code`, with the class `language-…` where the language was named."""
        block = Element("div", {"class": "highlight"})
        name = {"class": f"language-{language}"} if language else {}
        code = SubElement(SubElement(block, "pre"), "code", name)
        code.text = text
        if (lexer := _lexer_for(text, language)) and (tokens := self._tokens(lexer, text)):
            _colour(code, tokens)
        return block

    def _tokens(self, lexer: Lexer, text: str) -> list[Token] | None:
        """The tokens of exactly this text, unless the budget runs out."""
        tokens: list[Token] = []
        self.seconds += len(text) * HIGHLIGHTING_PER_CHARACTER
        if self.seconds <= 0:
            return None
        start = thread_time()
        for token in lexer.get_tokens(text):
            tokens.append(token)
            if thread_time() - start > self.seconds:
                break
        self.seconds -= thread_time() - start
        return tokens if "".join(value for _, value in tokens) == text else None


def _lexer_for(text: str, language: str) -> Lexer | None:
    name = _names().get(language)
    if not name or len(text) > HIGHLIGHTED or max(map(len, text.split("\n"))) > HIGHLIGHTED_LINE:
        return None
    return _lexer(name)


@cache
def _names() -> dict[str, str]:
    """The lexers by alias: those of `COLOURED`, since others may backtrack for minutes within one token."""
    return {
        alias: name
        for name, aliases, _, _ in get_all_lexers(plugins=False)
        for alias in aliases
        if COLOURED.intersection(aliases)
    }


@lru_cache(maxsize=64)
def _lexer(name: str) -> Lexer | None:
    found = find_lexer_class(name)
    return found(stripnl=False, ensurenl=False) if found else None


def _colour(code: Element, tokens: list[Token]) -> None:
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
