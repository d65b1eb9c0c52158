"""A language is a name in words: the post's, the tool's, the person's, else the interface's."""

from typing import Any

import pytest

from askweb.accounts.models import User
from askweb.conversations.asking import asking_of
from askweb.conversations.envelope import Envelope, Item, Meta
from prompts.languages import language_name
from prompts.models import Tool


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("zh-CN", "简体中文"),
        ("zh_Hans", "简体中文"),
        ("zh", "中文"),
        ("zh-TW", "繁體中文"),
        ("en", "English"),
        ("en-US", "English"),
        ("ja-JP", "日本語"),
        ("de-LU", "Deutsch"),
        ("vi", "Tiếng Việt"),
        ("yue-HK", "粵語"),
        ("中文", "中文"),
        (" Suomi ", "Suomi"),
        ("Plain English, for children", "Plain English, for children"),
        ("Lao", "Lao"),
        ("qqq", "qqq"),
    ],
)
def test_a_code_becomes_the_languages_own_name(text: str, name: str) -> None:
    assert language_name(text) == name


def chosen(
    person: User, posted: str | None = None, of_tool: str = "", lang: object = "fr-FR"
) -> tuple[str, bool]:
    page: dict[str, Any] = {"id": "page", "lang": lang}
    tool = Tool(slug="x", name="X", options={"language": of_tool} if of_tool else {})
    asking = asking_of(person, Envelope((Item("page", page),), Meta(language=posted)), "Hi", tool)
    return asking.language, asking.language_chosen


class TestTheLanguage:
    def test_is_the_posts(self, person: User) -> None:
        person.answer_language = "ja"
        assert chosen(person, "zh-CN", "Suomi") == ("简体中文", True)

    def test_else_the_tools(self, person: User) -> None:
        person.answer_language = "ja"
        assert chosen(person, of_tool="fi") == ("suomi", True)

    def test_else_the_persons(self, person: User) -> None:
        person.answer_language = "ja"
        assert chosen(person) == ("日本語", True)

    def test_else_the_interfaces_and_then_none_was_chosen(self, person: User) -> None:
        assert chosen(person) == ("English", False)

    def test_may_be_the_pages(self, person: User) -> None:
        person.answer_language = "page"
        assert chosen(person) == ("français", False)

    @pytest.mark.parametrize("lang", ["", " ", None, 7, ["fr"]])
    def test_of_a_page_that_has_none_is_the_interfaces(self, person: User, lang: object) -> None:
        person.answer_language = "page"
        assert chosen(person, lang=lang) == ("English", False)

    def test_may_be_that_of_the_question(self, person: User) -> None:
        person.answer_language = "question"
        assert chosen(person) == ("the language of the question", False)
