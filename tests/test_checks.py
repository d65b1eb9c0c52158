"""System checks: an installation that would let others in says so, with a number and what to do."""

from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import override_settings

OPEN = {"ASKWEB_URL": "https://ask.example.org"}


def found() -> list[str]:
    return [
        check.id or "" for check in run_checks(tags=["security"]) if (check.id or "").startswith("askweb.")
    ]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_what_ships_is_fine() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("changed", "number"),
    [
        ({"DEBUG": True, **OPEN}, "askweb.E001"),
        ({"ASKWEB_URL": "http://ask.example.org"}, "askweb.W002"),
        ({"ASKWEB_URL": "http://192.168.1.7:8000"}, "askweb.W002"),
        ({"HOST": "0.0.0.0"}, "askweb.W003"),
        ({"ASKWEB_URL": "https://ask.example.org/ask"}, "askweb.E004"),
        ({"ASKWEB_URL": "https://me:secret@ask.example.org"}, "askweb.E004"),
        ({"ASKWEB_ORIGINS": ["https://a.example/"]}, "askweb.E005"),
        ({"ASKWEB_ORIGINS": ["*"]}, "askweb.E005"),
        ({"ASKWEB_ORIGINS": ["null"]}, "askweb.E005"),
        ({"ASKWEB_ORIGINS": ["https://a.example:port"]}, "askweb.E005"),
        ({"ASKWEB_EXTENSION_IDS": ("a" * 31,)}, "askweb.E008"),
        ({"SECRET_KEY": "short"}, "askweb.E006"),
        ({"ASKWEB_PROVIDER_KEYS": ["x" * 40, "short"]}, "askweb.E006"),
    ],
)
def test_what_would_not_keep_others_out(changed: dict[str, Any], number: str) -> None:
    with override_settings(**changed):
        assert found() == [number]


@pytest.mark.parametrize(
    "changed",
    [
        OPEN,
        {"HOST": "0.0.0.0", **OPEN},
        {"ASKWEB_URL": "http://localhost:8000"},
        {"ASKWEB_URL": "http://[::1]:8000", "HOST": "::1"},
        {"DEBUG": True},
        {"ASKWEB_EXTENSION_IDS": ("p" * 32,)},
        {"ASKWEB_ORIGINS": ["chrome-extension://abcdefghijklmnop", "https://a.example:8443"]},
    ],
)
def test_what_would(changed: dict[str, Any]) -> None:
    with override_settings(**changed):
        assert found() == []


def test_a_folder_that_others_may_read(folder: Path) -> None:
    folder.chmod(0o755)
    assert found() == ["askweb.W007"]


def test_each_says_what_to_do() -> None:
    with override_settings(DEBUG=True, SECRET_KEY="x", ASKWEB_URL="http://a.example/x", ASKWEB_ORIGINS=["*"]):
        assert all(
            check.hint for check in run_checks(tags=["security"]) if str(check.id).startswith("askweb.")
        )
