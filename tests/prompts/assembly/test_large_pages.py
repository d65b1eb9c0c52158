"""A page of 3 MB of Chinese text, and a model that reads 4,096 tokens."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import ContextItem
from askweb.conversations.posting import post_conversation
from askweb.openai.reading import read_request
from askweb.providers.models import Provider
from prompts.budgeting import budget_of
from prompts.models import Assembly
from tests.conversations.conftest import Answer, Ask

pytestmark = pytest.mark.django_db

CHINESE = "月亮牵引着大海，潮汐由此而来。渔民们很早就知道这一点。\n\n" * 37_000
PAGE = {"id": "page", "title": "潮汐", "url": "https://example.org/", "content": CHINESE}


@pytest.fixture
def small(provider: Provider) -> Provider:
    provider.known_models = [{"id": "parrot", "context_window": 4096}]
    provider.save()
    return provider


def sent(posted: Any) -> Any:
    return Assembly.objects.get(run=posted["run"]["id"]).shape()


@pytest.fixture
def posted(ask: Ask, small: Provider) -> Any:
    assert len(CHINESE.encode()) > 3_000_000
    return ask("潮汐是怎么来的？", context=[PAGE], tool="page")


class TestSuchAPage:
    def test_is_sent_as_far_as_there_is_room(self, posted: Any, small: Provider) -> None:
        assembly = sent(posted)
        assert 2500 < assembly["tokens"] <= budget_of(small, "parrot", {}).available

    def test_shows_where_it_was_cut(self, posted: Any) -> None:
        told = sent(posted)["parts"][0]
        assert told["kept"] + told["cut"] == sum(len(PAGE[name]) for name in ("title", "url", "content"))
        assert (
            f"[… {told['cut']:,} characters left out …]</content>" in sent(posted)["messages"][-1]["content"]
        )

    def test_keeps_the_question(self, posted: Any) -> None:
        assert sent(posted)["messages"][-1]["content"].endswith("潮汐是怎么来的？")

    def test_is_stored_as_it_came(self, posted: Any) -> None:
        assert ContextItem.objects.get().value() == PAGE
        assert posted["message"]["context"] == [PAGE]

    def test_can_be_previewed(self, api: APIClient, small: Provider, posted: Any) -> None:
        body = {
            "context": [PAGE],
            "meta": {"tool": "page"},
            "messages": [{"role": "user", "content": "潮汐是怎么来的？"}],
        }
        assert api.post("/api/assemble/", body).json() == sent(posted)

    def test_leaves_room_for_the_next_question(
        self, ask: Ask, answer: Answer, posted: Any, small: Provider
    ) -> None:
        answer(posted, "因为月亮。")
        second = sent(ask("为什么？", to=posted["conversation"]["id"]))
        assert second["tokens"] <= budget_of(small, "parrot", {}).available
        assert second["messages"][-1]["content"] == "为什么？"

    def test_is_cut_for_clients_of_the_other_api_too(self, person: User, small: Provider) -> None:
        history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]
        question = {"role": "user", "content": "潮汐是怎么来的？"}
        body = {"model": "tool:page", "context": [PAGE], "messages": [*history, question]}
        run = post_conversation(person, read_request(body).envelope).run
        assembly = Assembly.objects.get(run=run).shape()
        assert assembly["messages"][1:3] == history
        assert assembly["parts"][0]["cut"] > 0
        assert assembly["tokens"] <= budget_of(small, "parrot", {}).available
