"""Exporting everything, and deleting everything."""

import io
import json
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from zipfile import ZipFile

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from askweb.accounts.models import Device, User
from askweb.conversations.models import Content, Conversation
from askweb.images.models import Image
from askweb.providers.models import Provider
from prompts.models import Snippet, Tool
from questions.models import QuestionSet, RememberedAnswer

pytestmark = pytest.mark.django_db

KEY = "sk-never-to-be-seen"
QUESTION = {
    "id": "target",
    "header": "Target",
    "question": "Where to?",
    "multi_select": False,
    "options": [{"label": each, "description": "", "recommended": False} for each in ("Here", "There")],
}


@pytest.fixture
def everything(person: User, provider: Provider, api: APIClient) -> None:
    """One of each that a person can have."""
    provider.api_key, provider.headers = KEY, {"X-Key": KEY}
    provider.save()
    fill(person, api)


def fill(person: User, api: APIClient) -> None:
    page = {"id": "page", "url": "https://ok.example", "content": "Page text " * 200}
    api.post(
        "/api/conversations/",
        {"context": [page], "messages": [{"role": "user", "content": "What / is: this?"}]},
    )
    api.post("/api/tools/", {"slug": "mine", "name": "Mine", "draft": "Do {{chat.text}}"})
    Snippet.objects.create(owner=person, name="words", source="Some words")
    RememberedAnswer.objects.create(user=person, tool="translate", question="language", values=[])
    QuestionSet.objects.create(
        user=person, source="api", questions=[QUESTION], expires_at=timezone.now(), status="expired"
    )
    pixels = {"media_type": "image/png", "width": 1, "height": 1, "size": 3, "digest": person.username}
    Image.objects.create(user=person, data=b"png", **pixels)
    person.initial_message, person.blocked_hosts, person.theme = "Be brief.", ["bank.example"], "dark"
    person.save()


def exported(api: APIClient) -> ZipFile:
    response: Any = api.get("/api/export/")
    assert response.status_code == HTTPStatus.OK
    return ZipFile(io.BytesIO(b"".join(response.streaming_content)))


def names_in(archive: ZipFile) -> Iterator[str]:
    return (name.partition("/")[0] for name in archive.namelist())


@pytest.mark.usefixtures("everything")
class TestExporting:
    def test_the_zip_is_whole_and_holds_one_file_for_each_thing(self, api: APIClient) -> None:
        archive = exported(api)
        assert archive.testzip() is None
        expected = [
            "settings.json",
            "tools.toml",
            "snippets.json",
            "questions.json",
            "conversations",
            "images",
        ]
        assert list(names_in(archive)) == expected

    def test_no_key_is_in_any_file(self, api: APIClient) -> None:
        archive = exported(api)
        assert not [name for name in archive.namelist() if KEY.encode() in archive.read(name)]
        assert "askweb_" not in archive.read("settings.json").decode()

    def test_a_conversation_can_be_imported_again(self, api: APIClient) -> None:
        archive = exported(api)
        file = next(name for name in archive.namelist() if name.startswith("conversations/"))
        assert "What is this" in file
        imported = api.post("/api/conversations/import/", json.loads(archive.read(file)))
        assert imported.status_code == HTTPStatus.CREATED

    def test_tools_can_be_imported_again(self, api: APIClient) -> None:
        toml = exported(api).read("tools.toml").decode()
        assert "[mine]" in toml

    def test_settings_and_the_names_of_providers_are_told(self, api: APIClient) -> None:
        told = json.loads(exported(api).read("settings.json"))
        assert told["settings"]["blocked_hosts"] == ["bank.example"]
        assert told["initial_message"] == "Be brief."
        assert [each["slug"] for each in told["providers"]] == ["stand-in"]

    def test_images_are_there_as_they_are_stored(self, api: APIClient) -> None:
        archive = exported(api)
        assert archive.read(f"images/{Image.objects.get().pk}.png") == b"png"

    def test_another_person_gets_nothing_of_it(self, other_api: APIClient) -> None:
        archive = exported(other_api)
        assert [name for name in archive.namelist() if "/" in name] == []
        assert json.loads(archive.read("settings.json"))["providers"] == []


def delete(api: APIClient, confirm: object) -> Any:
    return api.post("/api/delete-everything/", {"confirm": confirm})


@pytest.mark.usefixtures("everything")
class TestDeleting:
    def test_it_tells_what_was_deleted(self, api: APIClient, person: User) -> None:
        counts = delete(api, person.username).json()
        assert counts == {
            "devices": 1,
            "conversations": 1,
            "question_sets": 1,
            "images": 1,
            "tools": 1,
            "providers": 1,
            "remembered_answers": 1,
        }

    @pytest.mark.parametrize(
        "model",
        [Conversation, Content, QuestionSet, Image, Provider, RememberedAnswer, Device, Snippet],
    )
    def test_nothing_is_left(self, api: APIClient, person: User, model: Any) -> None:
        Snippet.objects.filter(owner=None).delete()
        delete(api, person.username)
        assert not model.objects.exists()

    def test_shared_tools_stay(self, api: APIClient, person: User) -> None:
        delete(api, person.username)
        assert Tool.objects.filter(owner=None).exists()
        assert not Tool.objects.filter(owner=person).exists()

    def test_the_account_stays_with_its_look(self, api: APIClient, person: User) -> None:
        delete(api, person.username)
        person.refresh_from_db()
        assert (person.theme, person.initial_message, person.blocked_hosts) == ("dark", None, [])

    @pytest.mark.parametrize("typed", ["", "yes", "OWNER", None, 1])
    def test_without_the_name_nothing_happens(self, api: APIClient, typed: object) -> None:
        response = delete(api, typed)
        assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "confirm" in response.json()["error"]["fields"]
        assert Conversation.objects.exists()

    def test_another_person_keeps_everything(
        self, api: APIClient, other_api: APIClient, person: User, other_person: User
    ) -> None:
        Provider.objects.update(user=None)
        fill(other_person, other_api)
        delete(api, person.username)
        assert list(Conversation.objects.values_list("user", flat=True)) == [other_person.pk]
        assert Image.objects.get().user == other_person
        assert Device.objects.get().user == other_person
