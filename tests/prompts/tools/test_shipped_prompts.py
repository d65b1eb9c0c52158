"""The prompts of the tools that ship: in four languages, nothing lost, nothing empty."""

import json
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import get_language_info
from rest_framework.test import APIClient

from askweb.conversations.envelope import Item
from askweb.providers.models import Provider
from prompts.checking import check_template
from prompts.fields import read_object
from prompts.handlebars import compile as compile_template
from prompts.importing import READERS
from prompts.shipped import DEFAULT_TOOLS
from prompts.variables import Asking, variables

SHIPPED: dict[str, Any] = tomllib.loads(DEFAULT_TOOLS.read_text(encoding="utf-8"))
LANGUAGES = ("en", "zh-hans", "ja", "vi")
OWN_WORDS = sorted(SHIPPED.keys() - {"ask"})
FULL: tuple[dict[str, Any], ...] = (
    {"id": "page", "title": "Title", "url": "https://page", "content": "Content"},
    {"id": "quote", "text": "Selected"},
    {
        "id": "stackoverflow", "title": "How?", "url": "https://so", "question": "Asked",
        "answers": [{"body": "First", "score": 3, "accepted": True}, {"body": "Second"}],
    },
    {"id": "github", "repository": "a/b", "path": "c.py", "url": "https://gh", "readme": "Read", "code": "x = 1"},
    {"id": "pageSearch", "list": [{"digest": "one"}, {"digest": ""}, {"digest": "three"}]},
)  # fmt: skip
USED = {
    "ask": ["Why?"],
    "explain": ["Title", "Selected", "Why?"],
    "explain-code": ["Title", "<code>Selected</code>", "Why?"],
    "summarise": ["Title", "https://page", "Selected", "Why?"],
    "translate": ["Selected", "Why?"],
    "rewrite": ["Selected", "Why?"],
    "page": ["Title", "https://page", "Selected", "Content", "Why?"],
    "find-on-page": ["Title", "https://page", "[1] <part>one</part>", "[3] <part>three</part>", "Why?"],
    "stack-overflow": ["How?", "https://so", "Asked", "3", "First", "0", "Second", "Why?"],
    "github": ["a/b", "c.py", "https://gh", "Read", "x = 1", "Why?"],
}


def prompt(slug: str, language: str, text: str = "Why?", context: tuple[dict[str, Any], ...] = FULL) -> str:
    interface = get_language_info(language)["name_local"]
    asking = Asking(text, "Esperanto", True, "Ada", interface, datetime(2026, 1, 2, tzinfo=UTC))
    data = variables(asking, [Item(item["id"], item) for item in context])
    return compile_template(SHIPPED[slug]["hbs"]).render(data).strip()


@pytest.mark.parametrize("slug", SHIPPED)
class TestEach:
    def test_is_a_tool_that_could_be_imported(self, slug: str) -> None:
        read_object({"slug": slug, **SHIPPED[slug]}, READERS)
        assert SHIPPED[slug].keys() <= READERS.keys()

    def test_has_no_error_and_no_warning(self, slug: str) -> None:
        verdict = check_template(SHIPPED[slug]["hbs"], {})
        assert (verdict.errors, verdict.warnings) == ((), ())

    def test_is_named_in_four_languages(self, slug: str) -> None:
        assert SHIPPED[slug]["names"].keys() == {"zh-hans", "ja", "vi"}

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_says_everything_in_its_order(self, slug: str, language: str) -> None:
        rest = prompt(slug, language)
        for piece in USED[slug]:
            assert piece in rest, piece
            rest = rest.partition(piece)[2]
        assert rest == ""

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("text", ["", "Why?"])
    def test_leaves_no_empty_tag_or_hole(self, slug: str, language: str, text: str) -> None:
        for context in ((), FULL):
            told = prompt(slug, language, text, context)
            assert "></" not in told
            assert "\n\n\n" not in told


@pytest.mark.parametrize("slug", OWN_WORDS)
def test_each_language_has_its_own_words(slug: str) -> None:
    assert len({prompt(slug, language) for language in LANGUAGES}) == 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", sorted(SHIPPED.keys() - {"ask", "rewrite"}))
def test_the_answer_is_asked_for_in_the_language_of_the_answer(slug: str, language: str) -> None:
    assert "Esperanto" in prompt(slug, language, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_go_into_the_language_that_was_chosen_in_the_question(language: str) -> None:
    source = SHIPPED["translate"]["hbs"]
    data = variables(Asking("x", "English", False, "Ada", language, datetime(2026, 1, 2, tzinfo=UTC)), [])
    assert "日本語" in compile_template(source).render({**data, "answers": {"target_language": "日本語"}})


@pytest.mark.parametrize("slug", ["translate", "rewrite"])
def test_what_is_to_be_copied_comes_without_chatter(slug: str) -> None:
    assert SHIPPED[slug]["options"] == {"output_only": True}


@pytest.mark.django_db
def test_the_question_of_the_translator_is_loaded(api: APIClient) -> None:
    (question,) = api.get("/api/tools/translate/").json()["questions"]
    assert (question["id"], question["when"]) == ("target_language", "(not settings.language_chosen)")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("en", "I am"), ("zh-CN", "我正在"), ("ja", "このページ"), ("vi", "Tôi đang")]
)
def test_the_interface_decides_which_words(
    api: APIClient, provider: Provider, language: str, words: str
) -> None:
    body = {"meta": {"tool": "page"}, "context": [{"id": "page", "title": "T"}]}
    posted = api.post("/api/conversations/", body, headers={"Accept-Language": language}).json()
    messages = api.get(f"/api/messages/{posted['message']['id']}/assembly/").json()["messages"]
    assert words in messages[-1]["content"]


@pytest.mark.django_db
def test_a_chinese_interface_asks_about_stack_overflow_in_chinese(
    api: APIClient, provider: Provider, cases: Path
) -> None:
    envelope = json.loads((cases / "seeds" / "stackoverflow-envelope.json").read_text(encoding="utf-8"))
    envelope["messages"] = [{"role": "user", "content": "给我两个例子"}]
    posted = api.post("/api/conversations/", envelope, headers={"Accept-Language": "zh-CN"}).json()
    messages = api.get(f"/api/messages/{posted['message']['id']}/assembly/").json()["messages"]
    turn, item = messages[-1]["content"], envelope["context"][0]
    assert turn.startswith(f"我正在浏览StackOverflow: {item['title']}。")
    assert turn.endswith("给我两个例子")
    assert item["question"] in turn
