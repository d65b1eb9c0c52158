"""A turn within a budget: context gives way visibly, words never do, and the parts tell the truth."""

import re
from typing import Any

import pytest

from askweb.conversations.envelope import Item
from prompts.assembling import Turn
from prompts.estimating import Estimator
from prompts.models import Tool
from prompts.shapes import Part
from tests.prompts.assembly.conftest import Build, item

pytestmark = pytest.mark.django_db

ROOM = 500
LONG = "A sentence about the sea and its tides. " * 1000
CHINESE = "月亮牵引着大海，潮汐由此而来。" * 1000
MARK = re.compile(r"\[… ([\d,]+) characters left out …\]")


def part(turn: Turn, name: str) -> Part:
    return next(each for each in turn.parts if each["name"] == name)


def missing(turn: Turn) -> int:
    return sum(int(number.replace(",", "")) for number in MARK.findall(turn.text))


class TestATurnThatIsTooLong:
    @pytest.mark.parametrize("content", [LONG, CHINESE], ids=["english", "chinese"])
    @pytest.mark.parametrize("policy", ["head", "head_tail", "relevant"])
    @pytest.mark.parametrize(
        "template", ['{{fence page.content "content"}} {{chat.input}}', "{{chat.input}}"]
    )
    def test_fits_when_it_is_made(self, build: Build, content: str, policy: str, template: str) -> None:
        turn = build(
            template, "Why 潮汐?", item("page", title="T", content=content), room=ROOM, budget=policy
        )
        assert ROOM / 2 < Estimator().tokens(turn.text) <= ROOM

    def test_shows_and_tells_what_is_missing(self, build: Build) -> None:
        turn = build("{{page.content}} {{chat.input}}", "Why?", item("page", content=LONG), room=ROOM)
        told = part(turn, "page")
        assert told["kept"] + told["cut"] == len(LONG)
        assert missing(turn) == told["cut"] > 0
        assert (turn.is_cut, told["left_out"]) == (True, None)

    def test_keeps_every_word_of_the_template_and_the_person(self, build: Build) -> None:
        turn = build(
            "Begin {{page.content}} end. {{chat.input}}", "W " * 50, item("page", content=LONG), room=ROOM
        )
        assert turn.text.startswith("Begin A sentence")
        assert turn.text.endswith(" end. " + ("W " * 50).strip())

    def test_keeps_its_fence_closed(self, build: Build) -> None:
        turn = build('{{fence page.content "content"}}', "", item("page", content=LONG), room=ROOM)
        assert turn.text.endswith("</content>")

    def test_leaves_the_raw_item_as_it_is(self, build: Build) -> None:
        page = item("page", content=LONG)
        build("{{page.content}}", "", page, room=ROOM)
        assert page.value["content"] == LONG

    def test_cuts_a_page_rather_than_a_selection(self, build: Build) -> None:
        page = item("page", selection="Selected. " * 40, content=LONG * 5)
        turn = build("{{page.selection}}\n{{page.content}}", "", page, room=ROOM)
        assert turn.text.startswith(("Selected. " * 40).strip())

    def test_cuts_what_a_template_shows_twice_in_both_places(self, build: Build) -> None:
        turn = build("{{page.content}}|{{pageContent}}", "", item("page", content=LONG), room=ROOM)
        assert Estimator().tokens(turn.text) <= ROOM
        one, other = turn.text.split("|")
        assert one == other

    def test_is_not_cut_for_what_the_template_does_not_show(self, build: Build) -> None:
        turn = build(
            "{{page.title}} {{truncate page.content 20}}",
            "",
            item("page", title="T", content=LONG),
            room=ROOM,
        )
        assert turn.text == "T A sentence about the…"

    def test_is_cut_by_what_a_condition_decides(self, build: Build) -> None:
        template = "{{#if chat.input}}{{chat.input}}{{else}}{{page.content}}{{/if}}"
        turn = build(template, "Why?", item("page", content=LONG), room=ROOM)
        assert (turn.text, turn.is_cut, part(turn, "page")["kept"]) == ("Why?", False, 0)
        assert part(turn, "page")["left_out"]

    def test_of_words_alone_is_sent_whole_with_a_warning(self, build: Build) -> None:
        turn = build("{{page.content}}\n{{chat.input}}", LONG, item("page", content=CHINESE), room=ROOM)
        assert turn.text.endswith(LONG.strip())
        assert (part(turn, "page")["kept"], part(turn, "page")["cut"]) == (0, len(CHINESE))
        assert part(turn, "page")["left_out"]
        assert turn.warnings

    @pytest.mark.parametrize("room", [-100, 0, 10])
    def test_is_made_in_no_room_at_all(self, build: Build, room: int) -> None:
        turn = build("{{page.content}} {{chat.input}}", "Why?", item("page", content=LONG), room=room)
        assert turn.text == f"[… {len(LONG):,} characters left out …] Why?"

    def test_may_be_of_many_items_of_any_kind(self, build: Build) -> None:
        items = [item("page", content=LONG), item("quote", text=CHINESE), item("clipboard", text=LONG)]
        items.append(item("weather", days=[{"note": LONG[:3000], "n": number} for number in range(40)]))
        turn = build("{{chat.input}}", "Why?", *items, room=1500)
        assert Estimator().tokens(turn.text) <= 1500
        assert [each["kept"] > 0 < each["cut"] for each in turn.parts[:4]] == [True] * 4

    def test_of_a_strange_page_ends_all_the_same(self, build: Build) -> None:
        strange = f"\ue0000\ue001{'9' * 5000}\ue001\x1b</content>{{{{x}}}}" * 500
        turn = build(
            '{{fence page.content "content"}}', "\ue00099\ue001", item("page", content=strange), room=ROOM
        )
        assert Estimator().tokens(turn.text) <= ROOM


class TestATurnThatFits:
    def test_is_the_same_as_without_a_budget(self, build: Build) -> None:
        page = item("page", title="T", content="Short.")
        assert (
            build("{{chat.input}}", "Why?", page, room=ROOM).text
            == build("{{chat.input}}", "Why?", page).text
        )

    def test_tells_its_parts_and_they_add_up(self, build: Build) -> None:
        turn = build(
            "About {{page.content}}: {{chat.input}}", "Why?", item("page", content="x " * 200), room=ROOM
        )
        assert sum(each["kept"] for each in turn.parts) == len(turn.text)
        assert sum(each["tokens"] for each in turn.parts) == Estimator().tokens(turn.text)
        assert (part(turn, "page")["kept"], part(turn, "page")["cut"]) == (400, 0)


def page_search(count: int) -> Item:
    topics = {7: "SQL databases keep rows.", 93: "Every SQL table has columns."}
    parts: list[Any] = [
        {"xpath": f"/p[{n}]", "digest": topics.get(n, f"Part {n} is about gardening and the weather.")}
        for n in range(1, count + 1)
    ]
    return item("pageSearch", list=parts)


class TestPartsOfAPage:
    @pytest.fixture
    def template(self) -> str:
        version = Tool.objects.get(slug="find-on-page").published
        assert version is not None
        return version.source

    @pytest.mark.parametrize("count", [100, 6000])
    def test_that_answer_the_question_keep_their_numbers_and_order(
        self, build: Build, template: str, count: int
    ) -> None:
        turn = build(template, "find anything about sql", page_search(count), room=ROOM)
        assert turn.text.index("[7] <part>SQL databases") < turn.text.index("[93] <part>Every SQL")
        assert Estimator().tokens(turn.text) <= ROOM

    def test_that_are_missing_are_counted(self, build: Build, template: str) -> None:
        turn = build(template, "sql", page_search(100), room=ROOM)
        told = part(turn, "pageSearch")
        assert missing(turn) == told["cut"] > 0
        assert told["kept"] + told["cut"] == sum(
            len(each["digest"]) for each in page_search(100).value["list"]
        )  # type: ignore[union-attr, call-overload, index, misc]

    def test_are_ranked_in_the_default_form_too(self, build: Build) -> None:
        turn = build("{{chat.input}}", "sql", page_search(100), room=200)
        assert "[7] <part>SQL databases keep rows.</part>" in turn.text
        assert "[93] <part>Every SQL table has columns." in turn.text

    def test_of_which_one_is_huge_is_cut_itself(self, build: Build, template: str) -> None:
        turn = build(template, "sea", item("pageSearch", list=[{"xpath": "/", "digest": LONG}]), room=ROOM)
        assert "[1] <part>A sentence about the sea" in turn.text
        assert missing(turn) == part(turn, "pageSearch")["cut"] > 0


class TestAnswersToAQuestion:
    answers = [{"body": f"Answer {n}. " + "Words about it. " * 20, "score": n} for n in range(50)]

    def test_give_way_from_the_end(self, build: Build) -> None:
        question = item("stackoverflow", title="T", question="How?", answers=self.answers)
        turn = build("{{chat.input}}", "Why?", question, room=ROOM)
        assert "Answer 0." in turn.text
        assert "Answer 49." not in turn.text

    def test_that_are_relevant_stay_where_the_tool_says_so(self, build: Build) -> None:
        answers = [*self.answers, {"body": "Penguins.", "score": 1}]
        question = item("stackoverflow", title="T", question="How?", answers=answers)
        turn = build("{{chat.input}}", "Penguins?", question, room=ROOM, budget="relevant")
        assert "Penguins." in turn.text
