"""The user's own examples that concern prompts, as they were written."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.providers.models import Provider
from prompts.models import Assembly, Tool
from tests.conversations.conftest import Ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def seeds(cases: Path) -> Path:
    return cases / "seeds"


def turn(posted: Any) -> str:
    return str(Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"][-1]["content"])


class TestExplain:
    @pytest.fixture
    def explain(self, api: APIClient, seeds: Path) -> str:
        """His tool, imported; its slug."""
        text = (seeds / "explain.toml").read_text(encoding="utf-8")
        assert api.post("/api/tools/import/", {"toml": text}).status_code == 200
        return "explain"

    def test_is_imported_and_exported_equal(self, api: APIClient, seeds: Path, explain: str) -> None:
        table = tomllib.loads((seeds / "explain.toml").read_text(encoding="utf-8"))["explain"]
        assert tomllib.loads(api.get("/api/tools/export.toml").content.decode())["explain"] == table
        assert Tool.objects.get(owner__isnull=False).name == "解释"

    @pytest.mark.parametrize(
        ("selection", "text", "sent"),
        [
            ("Hello World", "用幼儿园的知识", "请用 中文 解释: Hello World\n用幼儿园的知识"),
            ("", "Hello World", "请用 中文 解释: Hello World"),
            ("a<b> & ${chat.input}", "x", "请用 中文 解释: a<b> & ${chat.input}\nx"),
        ],
    )
    def test_makes_his_prompts(self, ask: Ask, explain: str, selection: str, text: str, sent: str) -> None:
        page = {"id": "page", "selection": selection}
        assert turn(ask(text, tool=explain, language="中文", context=[page])) == sent

    def test_by_its_older_names_too(self, ask: Ask) -> None:
        Tool.objects.create(slug="old", name="Old").publish("请用 ${DISPLAY_LANG} 解释: ${INPUT}")
        assert turn(ask("Hello World", tool="old", language="zh")) == "请用 中文 解释: Hello World"


def test_a_question_from_stack_overflow_in_chinese(api: APIClient, provider: Provider, seeds: Path) -> None:
    body = json.loads((seeds / "stackoverflow-envelope.json").read_text(encoding="utf-8"))
    body["messages"] = [{"role": "user", "content": "给我两个例子"}]
    posted = api.post("/api/conversations/", body, headers={"Accept-Language": "zh-Hans"}).json()
    text = turn(posted)
    assert text.startswith(f"我正在浏览StackOverflow: {body['context'][0]['title']}。")
    assert text.endswith("给我两个例子")
    assert body["context"][0]["question"] in text


def test_a_search_of_a_page(api: APIClient, provider: Provider, seeds: Path) -> None:
    body = json.loads((seeds / "page-search-envelope.json").read_text(encoding="utf-8"))
    answer = api.post("/api/conversations/", body)
    posted = answer.json()
    assert (answer.status_code, posted["message"]["tool"]) == (201, "find-on-page")
    assert posted["message"]["context"] == body["context"]
    assert turn(posted).count("find anything about sql") == 1


def test_a_search_as_it_was_first_written_is_refused_with_its_place(api: APIClient, seeds: Path) -> None:
    body = (seeds / "page-search-envelope-as-written.json.txt").read_bytes()
    answer = api.generic("POST", "/api/assemble/", body, "application/json")
    assert (answer.status_code, answer.json()["line"], answer.json()["column"]) == (400, 10, 5)


def test_all_the_code_of_his_quote_is_sent(ask: Ask, seeds: Path) -> None:
    quote = json.loads((seeds / "quote.json").read_text(encoding="utf-8"))
    posted = ask("What is this?", context=[quote])
    assert posted["message"]["context"] == [quote]
    assert quote["title"] in turn(posted)
    assert quote["pageUrl"] in turn(posted)


def test_his_initial_message_is_sent_unchanged(ask: Ask, api: APIClient, seeds: Path) -> None:
    text = (seeds / "initial-message.txt").read_text(encoding="utf-8")
    assert api.put("/api/initial-message/", {"template": text}).json()["preview"] == text
    posted = ask("你好")
    assert Assembly.objects.get(run=posted["run"]["id"]).shape()["messages"] == [
        {"role": "system", "content": text},
        {"role": "user", "content": "你好"},
    ]
