"""The extension's files: what it shares with the Control UI, as committed copies, and all of it as a zip.

An extension may load nothing from elsewhere and has no import map, so bare names become addresses of its own.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.utils import translation

from questions.words import question_words

ROOT: Final = Path(settings.BASE_DIR) / "extension"
SHARED: Final = ROOT / "shared"
STATIC: Final = Path(settings.BASE_DIR) / "static"
SCRIPTS: Final = (
    "followed",
    "formulas",
    "growing_text",
    "open_text",
    "reply_text",
    "wide_blocks",
    "questions/answering",
    "questions/card_elements",
    "questions/composing",
    "questions/drafting",
    "questions/keys",
    "questions/question_cards",
    "questions/question_fields",
    "questions/sending",
    "questions/time_left",
)
STYLES: Final = (
    "reset",
    "tokens",
    "base",
    "utilities",
    "components/buttons",
    "components/notice",
    "components/chip",
    "components/desk",
    "components/prose",
    "components/highlight",
    "components/question",
    "components/question-panel",
    "components/question-summary",
    "components/message",
    "components/branches",
    "components/formula",
    "components/pictures",
)
LANGUAGES: Final = {"en": "en", "zh_CN": "zh-hans", "ja": "ja", "vi": "vi"}
"""Chrome's names of the interface's languages."""
VENDORED: Final = Path("vendor") / "katex"
"""Copied as it is, below static/ and below extension/shared/."""
RENAMED: Final = (
    ('"askweb/page.js"', '"/panel/page.js"'),
    ('"askweb/', '"/shared/'),
    ('"katex"', f'"/shared/{VENDORED.as_posix()}/katex.min.js"'),
    ('"katex.css"', f'"/shared/{VENDORED.as_posix()}/katex.min.css"'),
)
EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def copies() -> Iterator[tuple[Path, bytes]]:
    """Each shared file with what it should hold."""
    for name in SCRIPTS:
        yield SHARED / f"{name}.js", _renamed((STATIC / "js" / f"{name}.js").read_text("utf-8")).encode()
    for name in STYLES:
        yield SHARED / f"{name}.css", (STATIC / "css" / f"{name}.css").read_bytes()
    for path in sorted(path for path in (STATIC / VENDORED).rglob("*") if path.is_file()):
        yield SHARED / path.relative_to(STATIC), path.read_bytes()
    yield SHARED / "words.json", (json.dumps(_words(), ensure_ascii=False, indent=2) + "\n").encode()


def write_copies() -> list[Path]:
    """Write what is missing or differs; return the paths of that."""
    stale = [(path, held) for path, held in copies() if not path.exists() or path.read_bytes() != held]
    for path, held in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held)
    return [path for path, _held in stale]


def write_zip(file: IO[bytes]) -> None:
    """One folder, `askweb/`, to be loaded unpacked. The same files always make the same bytes."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for path in sorted(ROOT.rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                entry = ZipInfo(f"askweb/{path.relative_to(ROOT).as_posix()}", EPOCH)
                archive.writestr(entry, path.read_bytes(), ZIP_DEFLATED)


def _renamed(script: str) -> str:
    for bare, own in RENAMED:
        script = script.replace(bare, own)
    return script


def _words() -> dict[str, dict[str, str]]:
    return {name: _words_in(language) for name, language in LANGUAGES.items()}


def _words_in(language: str) -> dict[str, str]:
    with translation.override(language):
        return question_words()
