"""Everything is looked up through the person: another's id is never found, whatever is called with it."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.images.cleaning import CleanImage
from askweb.images.models import Image
from askweb.providers.models import Provider
from askweb.runs.models import Run
from questions.models import RememberedAnswer

pytestmark = pytest.mark.once

METHODS = ("get", "post", "patch", "put", "delete")
NEVER_FOUND = (404, 405)


def routes(resolver: URLResolver, prefix: str = "") -> Iterator[str]:
    """Every address that takes an id, with `<uuid:id_>` where it stands."""
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from routes(entry, route)
        elif isinstance(entry, URLPattern) and "<uuid:" in route and not route.startswith("admin/"):
            yield "/" + route


ROUTES = sorted(set(routes(get_resolver())))


@pytest.fixture
def ids(api: APIClient, provider: Provider, person: User) -> dict[str, UUID]:
    """One id of the person's for each kind of thing that an address may name."""
    provider.is_default = True
    posted = api.post("/api/conversations/", {"messages": [{"role": "user", "content": "Hi"}]}).json()
    ids = {f"{kind}s": posted[kind]["id"] for kind in ("conversation", "message", "run")}
    snippet = person.snippets.create(name="sign", source="Bye")
    image = Image.objects.store(person, CleanImage("image/png", 1, 1, b"x"))
    asked = {
        "id": "where",
        "header": "Where",
        "question": "Where to?",
        "options": [{"label": "A"}, {"label": "B"}],
    }
    questions = api.post("/api/questions/", {"questions": [asked]}).json()["id"]
    remembered = RememberedAnswer.objects.create(
        user=person, tool="translate", question="where", values=[]
    ).pk
    more = {"images": image.pk, "questions": questions, "remembered-answers": remembered}
    device = person.new_device("phone")[0].pk
    return {**ids, "providers": provider.pk, "snippets": snippet.pk, "devices": device, **more}


def address(route: str, ids: dict[str, UUID]) -> str:
    before, _, rest = route.partition("<uuid:")
    kind = before.split("/")[-2]
    return f"{before}{ids[kind]}{rest.partition('>')[2]}"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", ROUTES)
def test_anothers_things_are_not_found(
    ids: dict[str, UUID], other_api: APIClient, other_person: User, route: str, method: str
) -> None:
    client = other_api
    if not route.startswith("/api/"):
        client = Client()
        client.force_login(other_person)
    response = getattr(client, method)(address(route, ids))
    assert response.status_code in NEVER_FOUND


@pytest.mark.parametrize("route", ROUTES)
def test_its_own_person_finds_every_address(
    ids: dict[str, UUID], api: APIClient, person: User, route: str
) -> None:
    client = api
    if not route.startswith("/api/"):
        client = Client()
        client.force_login(person)
    responses = [getattr(client, method)(address(route, ids)).status_code for method in ("get", "post")]
    assert not {404, 500} & set(responses)


def test_another_persons_list_is_empty(ids: dict[str, UUID], other_api: APIClient) -> None:
    assert other_api.get("/api/conversations/").json()["results"] == []


def test_the_run_stays_as_it_was(ids: dict[str, UUID], other_api: APIClient) -> None:
    other_api.post(f"/api/runs/{ids['runs']}/stop/")
    assert Run.objects.get(pk=ids["runs"]).stop_requested_at is None
