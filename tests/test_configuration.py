"""docs/configuration.md names everything that is read from the environment."""

import re

from tests.required import PROJECT

READ_FROM = re.compile(r"""(?:env\.\w+\(|environ\.get\(|environ\[)\s*["']([A-Z_]+)["']""")
OF_OTHERS = {"DJANGO_SETTINGS_MODULE"}


def test_every_variable_is_in_the_table() -> None:
    texts = [
        path.read_text() for folder in ("askweb", "scripts") for path in (PROJECT / folder).rglob("*.py")
    ]
    read = {name for text in texts for name in READ_FROM.findall(text)} - OF_OTHERS
    table = (PROJECT / "docs" / "configuration.md").read_text()
    assert {"ASKWEB_URL", "DATABASE_URL", "REDIS_URL"} <= read
    assert [name for name in sorted(read) if f"`{name}`" not in table] == []


def test_every_check_is_in_the_table() -> None:
    told = re.findall(r'id="(askweb\.[EW]\d+)"', (PROJECT / "askweb" / "checks.py").read_text())
    table = (PROJECT / "docs" / "configuration.md").read_text()
    assert len(told) == len(set(told)) > 6
    assert [number for number in told if f"`{number}`" not in table] == []
