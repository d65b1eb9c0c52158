"""The options of a tool that decide about the model."""

from typing import Any

import pytest

from askweb.accounts.models import User
from askweb.providers.models import Provider
from askweb.runs.models import Run
from prompts.models import Assembly, Tool
from tests.conversations.conftest import Ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(person: User, provider: Provider) -> Provider:
    return Provider.objects.create(
        user=person, slug="other", name="Other", base_url="http://127.0.0.1:9", default_model="o"
    )


def tool(**options: Any) -> str:
    Tool.objects.create(slug="own", name="Own", options=options).publish("{{chat.input}}")
    return "own"


@pytest.mark.parametrize(
    ("options", "meta", "chosen"),
    [
        ({"provider": "other"}, {}, ("other", "o")),
        ({"provider": "other", "model": "x"}, {}, ("other", "x")),
        ({"model": "other/x"}, {}, ("other", "x")),
        ({"model": "x"}, {}, ("stand-in", "x")),
        ({"provider": "other", "model": "x"}, {"model": "y"}, ("stand-in", "y")),
        ({"provider": "stand-in"}, {"provider": "other"}, ("other", "o")),
    ],
)
def test_its_model_answers_unless_the_post_names_one(
    ask: Ask, other: Provider, options: Any, meta: Any, chosen: tuple[str, str]
) -> None:
    run = ask(tool=tool(**options), **meta)["run"]
    assert (run["provider"], run["model"]) == chosen


def test_a_model_that_the_person_does_not_have_is_told_and_their_own_answers(ask: Ask) -> None:
    posted = ask(tool=tool(provider="gone"))
    assert posted["run"]["provider"] == "stand-in"
    assert "gone" in Assembly.objects.get().shape()["warnings"][0]


@pytest.mark.parametrize(("posted", "sent"), [({}, 0.2), ({"temperature": 1.0}, 1.0)])
def test_its_temperature_holds_unless_the_post_has_one(ask: Ask, posted: Any, sent: float) -> None:
    ask(tool=tool(temperature=0.2), **posted)
    assert Run.objects.get().options == {"temperature": sent}
