"""Tools as TOML: a table for each, in order; what was imported is written as it came."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prompts.models import Tool

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
ESCAPE = re.compile(r"\\(.)")
NEEDLESS = {"n": "\n", "t": "\t", '"': '"'}
"""What need not be escaped between three quotes."""
QUOTE_THAT_COULD_END = re.compile(r'"(?="|\Z)')


def write_tools(tools: Iterable[Tool]) -> str:
    """The tools as a file that can be imported: their order is that of the tables.

    Of each its published text, or its draft where nothing was published; what has no text is left out.
    """
    return "\n".join(table for tool in tools if (table := _table(tool)))


def _table(tool: Tool) -> str:
    source = tool.published.source if tool.published else tool.draft
    if source is None:
        return ""
    return "".join(f"{line}\n" for line in (f"[{_key(tool.slug)}]", *_lines(tool, source)))


def _lines(tool: Tool, source: str) -> Iterator[str]:
    yield f"name = {_text(tool.name)}"
    for name, value in (("names", tool.names), ("kinds", tool.kinds)):
        if value:
            yield f"{name} = {_value(value)}"
    options = tool.chosen.changed()
    if "system" in options:
        yield f"system = {_text(str(options.pop('system')))}"
    yield f"hbs = {_text(source)}"
    for name, value in (("options", options), ("questions", tool.questions)):
        if value:
            yield f"{name} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = [f"{_key(name)} = {_value(each)}" for name, each in value.items() if each is not None]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return _line(value) if isinstance(value, str) else json.dumps(value)


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _line(name)


def _text(text: str) -> str:
    """Between three quotes where it has several lines; TOML drops a line break right after the first three."""
    if "\n" not in text:
        return _line(text)
    body = ESCAPE.sub(lambda escape: NEEDLESS.get(escape[1], escape[0]), _line(text)[1:-1])
    return '"""\n' + QUOTE_THAT_COULD_END.sub(r'\\"', body) + '"""'


def _line(text: str) -> str:
    """JSON's escapes are TOML's, but for DEL, which TOML wants escaped, too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")
