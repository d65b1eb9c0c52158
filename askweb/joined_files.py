"""A style sheet or a module together with all that it imports, as one file.

Browsers take longer for a hundred small files than for two. Only the forms of imports and exports that ours have
are understood; any other is an error here, not in somebody's browser.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

LAYER: Final = re.compile(r'^@import url\("([^"]+)"\) layer\((\w+)\);$', re.MULTILINE)
IMPORT: Final = re.compile(r'^import (\{[^}]+\}) from "([^"]+)";$', re.MULTILINE)
EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
LEFT: Final = re.compile(r"^(?:@?import|export)\b.*", re.MULTILINE)


class CannotJoin(Exception):
    """Which line of which file is not understood."""


def joined_styles(path: Path) -> str:
    """The style sheet, with each import as the layer that it fills."""

    def fill(found: re.Match[str]) -> str:
        return f"@layer {found[2]} {{\n{_complete(found[1], (path.parent / found[1]).read_text('utf-8'))}}}"

    return _complete(path.name, LAYER.sub(fill, path.read_text("utf-8")))


def joined_modules(folder: Path, entry: str) -> str:
    """One module of all that `entry` imports, each a function that is run once and returns what it exports.

    They run in the order of a browser, except that modules which import each other in a circle can't.
    """
    done: dict[str, str] = {}
    _join(folder, entry, (), done)
    return "\n".join(done.values())


def module_path(module: str, name: str) -> str:
    """Where the module lies that `module` imports as `askweb/…` or by a name relative to itself."""
    return normpath(join(dirname(module), name)) if name.startswith(".") else name.removeprefix("askweb/")


def _join(folder: Path, module: str, within: tuple[str, ...], done: dict[str, str]) -> None:
    if module in within:
        raise CannotJoin(f"{module} imports itself by way of {within[-1]}")
    if module not in done:
        text = (folder / module).read_text("utf-8")
        for _names, name in IMPORT.findall(text):
            _join(folder, module_path(module, name), (*within, module), done)
        done[module] = _function(module, text)


def _function(module: str, text: str) -> str:
    def take(found: re.Match[str]) -> str:
        return f"const {found[1].replace(' as ', ': ')} = {_variable(module_path(module, found[2]))};"

    exported = ", ".join(name for _declared, name in EXPORT.findall(text))
    body = _complete(module, EXPORT.sub(r"\1", IMPORT.sub(take, text)))
    return f"const {_variable(module)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def _variable(module: str) -> str:
    return "$" + re.sub(r"\W", "$", module)


def _complete(name: str, text: str) -> str:
    if left := LEFT.search(text):
        raise CannotJoin(f"{name} can't be joined with what it imports: {left[0]}")
    return text
