"""Style sheets and modules as one file each, and what ours keep to so that this can be done."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from askweb.joined_files import EXPORT, IMPORT, CannotJoin, joined_modules, joined_styles, module_path

CSS, JS = (Path(settings.BASE_DIR) / "static" / kind for kind in ("css", "js"))


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_imports_of_style_sheets_become_their_layers(tmp_path: Path) -> None:
    (tmp_path / "base.css").write_text("a { color: red }\n")
    (tmp_path / "app.css").write_text('@layer base;\n\n@import url("base.css") layer(base);\n')
    assert joined_styles(tmp_path / "app.css") == "@layer base;\n\n@layer base {\na { color: red }\n}\n"


def test_modules_run_once_and_after_what_they_import(tmp_path: Path) -> None:
    written(
        tmp_path,
        app='import { b } from "askweb/b.js";\nimport { a as first } from "./a.js";\n\nb(first);\n',
        a="export const a = 1;\n",
        b='import { a } from "askweb/a.js";\n\nexport function b() {}\nexport class C {}\n',
    )
    joined = joined_modules(tmp_path, "app.js")
    assert [line for line in joined.splitlines() if line and line != "})();"] == [
        "const $a$js = (() => {",
        "const a = 1;",
        "return { a };",
        "const $b$js = (() => {",
        "const { a } = $a$js;",
        "function b() {}",
        "class C {}",
        "return { b, C };",
        "const $app$js = (() => {",
        "const { b } = $b$js;",
        "const { a: first } = $a$js;",
        "b(first);",
        "return {  };",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export { a };",
        "export let a = 1;",
        'export * from "askweb/b.js";',
        'import b from "askweb/b.js";',
        'import * as b from "askweb/b.js";',
        'import "askweb/b.js";',
    ],
)
def test_other_forms_are_an_error(tmp_path: Path, line: str) -> None:
    with pytest.raises(CannotJoin) as raised:
        joined_modules(written(tmp_path, app=f"{line}\n"), "app.js")
    assert str(raised.value) == f"app.js can't be joined with what it imports: {line}"


def test_circles_are_an_error(tmp_path: Path) -> None:
    app, other = ('import { x } from "./b.js";\n', 'import { y } from "./app.js";\n')
    with pytest.raises(CannotJoin, match=r"app\.js imports itself by way of b\.js"):
        joined_modules(written(tmp_path, app=app, b=other), "app.js")


def test_imports_that_a_style_sheet_keeps_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "app.css").write_text('@import url("base.css");\n')
    with pytest.raises(CannotJoin, match=r'app\.css .*: @import url\("base\.css"\);'):
        joined_styles(tmp_path / "app.css")


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Each name that a module of ours imports, with the path of the module that should have it."""
    for names, source in IMPORT.findall(path.read_text("utf-8")):
        for name in re.findall(r"\w+(?= as )|(?<! as )\b\w+", names):
            yield module_path(path.relative_to(JS).as_posix(), source), name


def test_whatever_our_modules_import_is_exported() -> None:
    exported = {
        (path.relative_to(JS).as_posix(), name)
        for path in JS.rglob("*.js")
        for _declared, name in EXPORT.findall(path.read_text("utf-8"))
    }
    assert {each for path in JS.rglob("*.js") for each in imported(path)} - exported == set()


def test_our_style_sheets_name_no_files_which_would_lie_elsewhere_once_joined() -> None:
    assert [
        path for path in CSS.rglob("*.css") if "url(" in path.read_text() and path.name != "app.css"
    ] == []
