"""How many of a thing one person may have."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.limits import counting
from prompts.importing import import_tools
from prompts.models import Tool

pytestmark = pytest.mark.django_db

PROVIDER = {"base_url": "https://api.example.com/v1"}
MADE = [
    ("/api/tools/", lambda n: {"name": f"Tool {n}", "template": "Hi"}),
    ("/api/snippets/", lambda n: {"name": f"s{n}", "source": "Hi"}),
    ("/api/providers/", lambda n: PROVIDER | {"slug": f"p{n}"}),
]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST", 2)


@pytest.mark.parametrize(("path", "body"), MADE)
def test_one_too_many_is_refused(api: APIClient, other_api: APIClient, path: str, body: Any) -> None:
    assert [api.post(path, body(n)).status_code for n in range(2)] == [201, 201]
    refused = api.post(path, body(3))
    assert (refused.status_code, refused.json()["error"]["code"], refused.json()["limit"]) == (
        422,
        "limit.count",
        2,
    )
    assert other_api.post(path, body(4)).status_code == 201


def test_an_import_is_counted_as_a_whole(api: APIClient, person: User) -> None:
    tools = "".join(f'[tool-{n}]\nname = "Tool"\nhbs = "Hi"\n' for n in range(3))
    refused = api.post("/api/tools/import/", {"toml": tools})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "limit.count")
    assert not person.tools.exists()


def test_what_an_import_updates_is_no_more(person: User) -> None:
    tools = "".join(f'[tool-{n}]\nname = "Tool"\nhbs = "Hi"\n' for n in range(2))
    import_tools(person, tools)
    import_tools(person, tools)
    assert Tool.objects.filter(owner=person).count() == 2


def test_a_token_by_hand_counts(client: Any, person: User) -> None:
    client.force_login(person)
    form = {"act": "make", "name": "script", "scopes": ["read"]}
    for _number in range(3):
        page = client.post("/settings/devices/", form)
    assert "Delete some" in page.content.decode()
    assert person.devices.count() == 2
