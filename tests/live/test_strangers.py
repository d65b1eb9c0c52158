"""Everything is looked up through the person: another's id is never found, whatever is called with it, by whomever.

Owners see who is here and who is invited, and that is all that they see of others.
"""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import User
from askweb.accounts.roles import Role
from askweb.images.cleaning import CleanImage
from askweb.images.models import Image
from askweb.providers.models import Provider
from askweb.runs.models import Run
from questions.models import RememberedAnswer
from tests.people import client_of

pytestmark = pytest.mark.once

OF_OWNERS = ("people", "invitations")
METHODS = ("get", "post", "patch", "put", "delete")
NEVER_FOUND = {404, 405}


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
    invitation, _token = Invitation.objects.issue("Mei", "", Role.READER)
    more = {"images": image.pk, "questions": questions, "remembered-answers": remembered}
    more |= {"people": person.pk, "invitations": invitation.pk}
    device = person.new_device("phone")[0].pk
    return {**ids, "providers": provider.pk, "snippets": snippet.pk, "devices": device, **more}


def address(route: str, ids: dict[str, UUID]) -> str:
    before, _, rest = route.partition("<uuid:")
    return f"{before}{ids[kind_of(route)]}{rest.partition('>')[2]}"


def kind_of(route: str) -> str:
    """What an address names, from the word before its id."""
    return route.partition("<uuid:")[0].split("/")[-2]


@pytest.fixture
def stranger(other_person: User, role: Role) -> User:
    other_person.role = role
    other_person.save()
    return other_person


@pytest.mark.parametrize(
    ("role", "route"),
    [
        (role, route)
        for role in Role
        for route in ROUTES
        if role != Role.OWNER or kind_of(route) not in OF_OWNERS
    ],
)
def test_anothers_things_are_not_found(ids: dict[str, UUID], stranger: User, route: str) -> None:
    client = client_of(stranger)
    if not route.startswith("/api/"):
        client = Client()
        client.force_login(stranger)
    answers = {method: getattr(client, method)(address(route, ids)).status_code for method in METHODS}
    assert set(answers.values()) <= NEVER_FOUND, answers


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


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "path", ["conversations", "providers", "questions", "snippets", "devices", "remembered-answers"]
)
def test_another_persons_list_holds_nothing_of_it(
    ids: dict[str, UUID], stranger: User, person: User, path: str
) -> None:
    listed = client_of(stranger).get(f"/api/{path}/").content.decode()
    person_s = [str(id_) for kind, id_ in ids.items() if kind != "people"]
    person_s += [str(each.pk) for each in person.devices.all()]
    assert [id_ for id_ in person_s if id_ in listed] == []


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "path", ["/", "/?q=Hi", "/questions/", "/settings/", "/settings/providers/", "/tools/"]
)
def test_another_persons_pages_show_nothing_of_it(ids: dict[str, UUID], stranger: User, path: str) -> None:
    client = Client()
    client.force_login(stranger)
    page = client.get(path).content.decode()
    assert [kind for kind, id_ in ids.items() if str(id_) in page] == []


@pytest.mark.parametrize("role", Role)
def test_the_run_stays_as_it_was(ids: dict[str, UUID], stranger: User) -> None:
    client_of(stranger).post(f"/api/runs/{ids['runs']}/stop/")
    assert Run.objects.get(pk=ids["runs"]).stop_requested_at is None
