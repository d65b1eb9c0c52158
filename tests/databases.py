"""Which tests a second database is worth: not those that read none, nor those whose subject is the browser or the
local model, nor those of parts that read and write rows through Django alone: without SQL, locks or JSON paths of
their own.
"""

import pytest

READS = frozenset(("db", "transactional_db", "new_server"))
PLAIN = frozenset(("accounts", "audit", "images", "openai", "prompts", "settings_pages"))
SUBJECTS = frozenset(("chromium_path", "full_chromium", "installed_model"))
ONCE = "once: the same on every database"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", ONCE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        plain = not PLAIN.isdisjoint(item.path.parent.parts)
        if plain or not SUBJECTS.isdisjoint(_fixtures(item)) or not _reads_a_database(item):
            item.add_marker("once")


def _reads_a_database(item: pytest.Item) -> bool:
    return item.get_closest_marker("django_db") is not None or not READS.isdisjoint(_fixtures(item))


def _fixtures(item: pytest.Item) -> frozenset[str]:
    return frozenset(getattr(item, "fixturenames", ()))
