"""Which tests a second database is worth: not those that read none, nor those whose subject is the browser or the
local model, nor those of parts that read and write rows through Django alone: without SQL, locks or JSON paths of
their own.
"""

from pathlib import Path

import pytest

READS = frozenset(("db", "transactional_db", "new_server"))
PLAIN = frozenset(
    (
        "accounts",
        "audit",
        "extension",
        "images",
        "openai",
        "operations",
        "prompts",
        "providers",
        "settings_pages",
        "ui",
    )
)
LIVE = frozenset(
    ("asking_and_restarts", "closing", "crashes", "delivery", "posting_twice", "starting", "stopping")
)
"""Of tests against a server, those about locks, leases and what becomes of a run that ends in another way."""

SUBJECTS = frozenset(("chromium_path", "full_chromium", "installed_model"))
LONG = "long: a whole Chromium, or minutes of the local model; `.ci/run` has no time for it, `make test` has"
ONCE = "once: the same on every database"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", ONCE)
    config.addinivalue_line("markers", LONG)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "full_chromium" in _fixtures(item) or item.path.stem == "test_large_pages":
            item.add_marker("long")
        if item.get_closest_marker("postgresql"):
            continue
        if _is_plain(item.path) or not SUBJECTS.isdisjoint(_fixtures(item)) or not _reads_a_database(item):
            item.add_marker("once")


def _is_plain(path: Path) -> bool:
    if path.parent.name == "live":
        return path.stem.removeprefix("test_") not in LIVE
    return not PLAIN.isdisjoint(path.parent.parts)


def _reads_a_database(item: pytest.Item) -> bool:
    return item.get_closest_marker("django_db") is not None or not READS.isdisjoint(_fixtures(item))


def _fixtures(item: pytest.Item) -> frozenset[str]:
    return frozenset(getattr(item, "fixturenames", ()))
