"""The extension's files: what it shares with the Control UI is the same there, and its words are there in all languages."""

import io
import json
import re
from base64 import b64decode
from hashlib import sha256
from typing import Any
from zipfile import ZipFile

import pytest

from askweb.extension_files import ROOT, copies, write_zip
from askweb.extensions import OUR_EXTENSION

LANGUAGES = ("en", "zh_CN", "ja", "vi")
SOURCES = [path for path in ROOT.rglob("*") if path.suffix in (".js", ".html") and "vendor" not in path.parts]
MANIFEST = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))


def words(language: str) -> dict[str, Any]:
    path = ROOT / "_locales" / language / "messages.json"
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize(("path", "held"), [pytest.param(*each, id=each[0].name) for each in copies()])
def test_copies_are_as_make_extension_writes_them(path: Any, held: bytes) -> None:
    assert path.read_bytes() == held, "run `make extension`"


def test_the_manifests_key_makes_the_id_that_servers_know() -> None:
    digest = sha256(b64decode(MANIFEST["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == OUR_EXTENSION


def test_every_permission_is_explained() -> None:
    explained = (ROOT.parent / "docs" / "extension.md").read_text(encoding="utf-8")
    assert [each for each in MANIFEST["permissions"] if f"| `{each}` |" not in explained] == []
    assert "host_permissions" not in MANIFEST
    assert all(f"`{each}`" in explained for each in MANIFEST["optional_host_permissions"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_same_words(language: str) -> None:
    english, other = words("en"), words(language)
    assert other.keys() == english.keys()
    for name, entry in english.items():
        assert set(re.findall(r"\$\d", entry["message"])) == set(
            re.findall(r"\$\d", other[name]["message"])
        ), name


def test_every_word_that_is_used_is_there() -> None:
    used = set(re.findall(r"__MSG_(\w+)__", (ROOT / "manifest.json").read_text(encoding="utf-8")))
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'data-words(?:-[a-z-]+)?="(\w+)"', text))
        used |= set(re.findall(r'\bwords\("(\w+)"', text))
        used |= {f"problem_{name}" for name in re.findall(r'Problem\.named\("(\w+)"', text)}
    assert used - words("en").keys() == set()


def test_the_zip_holds_one_folder_and_is_always_the_same() -> None:
    one, other = io.BytesIO(), io.BytesIO()
    write_zip(one)
    write_zip(other)
    assert one.getvalue() == other.getvalue()
    names = ZipFile(one).namelist()
    assert "askweb/manifest.json" in names
    assert all(name.startswith("askweb/") for name in names)
