"""Questions and their answers in an export as Markdown, where they were asked."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from askweb.conversations.inline_text import inline
from askweb.conversations.models import Conversation
from questions.models import QuestionSet
from questions.shapes import Answer, Question
from questions.summary import unanswered_words


@dataclass(frozen=True)
class AskedSets:
    """By message: the sets that its run asked, and those that a script asked after it; None is before the first."""

    of_reply: Mapping[UUID | None, Sequence[QuestionSet]]
    after: Mapping[UUID | None, Sequence[QuestionSet]]


def asked_sets(conversation: Conversation, path: Sequence[UUID]) -> AskedSets:
    """The sets of the messages on a path, which are in order of time, as ids are."""
    of_reply: defaultdict[UUID | None, list[QuestionSet]] = defaultdict(list)
    after: defaultdict[UUID | None, list[QuestionSet]] = defaultdict(list)
    for row in conversation.question_sets.order_by("id"):
        if row.reply_id is not None:
            of_reply[row.reply_id].append(row)
        else:
            place = bisect_right(path, row.pk)
            after[path[place - 1] if place else None].append(row)
    return AskedSets(of_reply, after)


def with_questions(content: str, rows: Sequence[QuestionSet]) -> Iterator[str]:
    """A reply's text, with each set after so many characters as there were when it was asked."""
    start = 0
    for row in rows:
        end = row.place.get("content", 0)
        yield content[start:end]
        yield asked_markdown(row)
        start = end
    yield content[start:]


def asked_markdown(row: QuestionSet) -> str:
    """Each question of a set with all that could be chosen, what was, and what was said besides."""
    given = row.given()
    blocks = [_question(row, each, given.get(each.id, ())) for each in row.asked()]
    if row.comment:
        blocks.append(_("Comment: {comment}").format(comment=inline(row.comment)))
    return "\n\n".join(blocks)


def _question(row: QuestionSet, question: Question, given: Sequence[Answer]) -> str:
    heading = f"**{inline(question.header)}:** {inline(question.question)}"
    chosen = {each.index for each in given}
    options = [
        _line(option.label, is_chosen=at in chosen, described=option.description)
        for at, option in enumerate(question.options)
    ]
    typed = [_line(each.value, is_chosen=True) for each in given if each.source == "other"]
    ended = [] if given else [f"*{inline(unanswered_words(row.status))}*"]
    parts = [heading, "\n".join([*options, *typed]), *ended]
    return "\n\n".join(part for part in parts if part)


def _line(text: str, *, is_chosen: bool, described: str = "") -> str:
    words = " — ".join(inline(part) for part in (text, described) if part)
    return f"- [{'x' if is_chosen else ' '}] {words}"
