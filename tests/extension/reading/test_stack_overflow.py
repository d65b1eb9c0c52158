"""A question and its answers."""

from typing import Any

import pytest
from playwright.sync_api import Route

from tests.extension.reading.conftest import PAGES, Opening

QUESTION = """I have a list, and need it backwards. `list.reverse()` changes it in place:

```python
items = [1, 2, 3]
if items:
    items.reverse()
```

Other code still uses the original."""


@pytest.fixture
def found(opened: Opening) -> Any:
    return opened("/stack_overflow.html").item("stackoverflow")


def test_the_question_has_its_code_in_a_fence_with_its_language(found: Any) -> None:
    assert found["title"] == "How do I reverse a list without changing it?"
    assert found["question"] == QUESTION


def test_answers_have_score_acceptance_and_address(found: Any, site: str) -> None:
    told = [(answer["score"], answer["accepted"], answer["url"]) for answer in found["answers"]]
    assert told == [(1042, True, f"{site}/a/21"), (17, False, f"{site}/a/22"), (-2, False, f"{site}/a/23")]


def test_answers_keep_lists_quotes_and_code(found: Any) -> None:
    first, second, third = (answer["body"] for answer in found["answers"])
    assert first == (
        "Use a slice:\n\n```python\nbackwards = items[::-1]\n```\n\n- It makes a new list.\n- It works for `str`, too."
    )
    assert second == "`reversed(items)` gives an iterator.\n\n> Return a reverse iterator."
    assert third == "Markdown, as an example:\n\n````markdown\n```\nx\n```\n````"


def test_comments_and_what_is_hidden_are_not_in_it(found: Any) -> None:
    assert "COMMENT" not in str(found)
    assert "SECRET" not in str(found)


@pytest.mark.parametrize(
    "url",
    [
        "https://stackoverflow.com/questions/11/x",
        "https://pt.stackoverflow.com/q/11",
        "https://math.stackexchange.com/q/11",
    ],
)
def test_its_hosts_are_known(opened: Opening, url: str) -> None:
    html = (PAGES / "stack_overflow.html").read_text(encoding="utf-8")
    bare = html.replace("question-page", "").replace('data-questionid="11"', "")
    opened.tab.route("**/*", lambda route: route.fulfill(body=bare, content_type="text/html"))
    assert opened(url).item("stackoverflow")["url"] == url


def test_another_page_is_no_question(opened: Opening) -> None:
    reader = opened("/article.html")
    assert reader.items("stackoverflow") == []
    assert reader.items("stackoverflow", **{"as": "stackoverflow"}) == []


def test_the_list_of_questions_is_no_question(opened: Opening) -> None:
    def fulfil(route: Route) -> None:
        route.fulfill(body="<title>Newest questions</title><p>Questions", content_type="text/html")

    opened.tab.route("**/*", fulfil)
    assert opened("https://stackoverflow.com/questions").items("stackoverflow") == []


def test_an_answer_whose_votes_are_hidden_has_no_score(opened: Opening) -> None:
    reader = opened("/stack_overflow.html")
    reader.tab.evaluate(
        "() => document.querySelectorAll('.js-vote-count').forEach((votes) => votes.remove())"
    )
    assert [answer["score"] for answer in reader.item("stackoverflow")["answers"]] == [None, None, None]
