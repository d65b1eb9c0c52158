"""Who answers: what a post names, or a refusal that says what there is."""

from pathlib import Path

import pytest

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.providers.choosing import choose_model
from askweb.providers.local.choosing import LocalModel
from askweb.providers.models import LOCAL, Provider

pytestmark = pytest.mark.django_db


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Provider:
    """The local provider, with a model called tiny."""
    tiny = LocalModel(Path("/models/tiny.gguf"), "tiny")
    for module in ("choosing", "models"):
        monkeypatch.setattr(f"askweb.providers.{module}.configured_model", lambda: tiny)
    return Provider.objects.create(slug=LOCAL, name="Local", preset=LOCAL)


@pytest.mark.parametrize("model", [None, "tiny", "local/tiny"])
def test_the_local_model_answers_by_its_name(person: User, local: Provider, model: str | None) -> None:
    choice = choose_model(person, model=model)
    assert (choice.provider, choice.model) == (local, "tiny")


@pytest.mark.parametrize("model", ["gpt-9", "local/gpt-9", "openai/gpt-9", "/"])
def test_the_local_model_answers_under_no_other_name(person: User, local: Provider, model: str) -> None:
    with pytest.raises(Problem) as refusal:
        choose_model(person, model=model)
    assert refusal.value.code == "model.unknown"
    assert "tiny" in refusal.value.message
