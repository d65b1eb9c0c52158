"""A plain-text reply to a question set, read as answers."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from questions.reply_lines import Line, lines_of
from questions.reply_values import free_text, label_index, value_of
from questions.shapes import Answer, Question
from questions.trimming import folded, trim

SKIP = frozenset(folded(word) for word in ("skip", "跳过", "スキップ", "bỏ qua"))
LEAVE_OPEN = SKIP | {"-"}
LONGEST_WORD = 32


@dataclass(frozen=True)
class Reply:
    """What a reply says. Ids stand in the questions' order.

    `unmatched` questions are to be asked again; `left_open` ones are not, the person passed them over.
    `comment` holds the lines that answer no question. `skipped` says that the whole set is passed over.
    """

    answers: dict[str, tuple[Answer, ...]] = field(default_factory=dict)
    unmatched: tuple[str, ...] = ()
    left_open: tuple[str, ...] = ()
    comment: str = ""
    skipped: bool = False


def read_reply(questions: Sequence[Question], reply: str) -> Reply:
    """The answers in a reply of any text; nothing is raised, and a blank value never becomes an answer."""
    text = reply.replace("\r\n", "\n").replace("\r", "\n")
    if _skips(questions, text):
        return Reply(left_open=tuple(question.id for question in questions), skipped=True)
    if len(questions) == 1:
        return _read_whole(questions[0], text)
    return _read_lines(questions, lines_of(questions, text))


def _skips(questions: Sequence[Question], text: str) -> bool:
    # With several questions a blank first line holds the first one's place, so the word must come first.
    first, _, rest = (trim(text) if len(questions) == 1 else text).partition("\n")
    return not trim(rest) and _is_word(SKIP, questions[0], first)


def _is_word(words: frozenset[str], question: Question, text: str) -> bool:
    bare = trim(text)
    if len(bare) > LONGEST_WORD:  # to put many marks in order would take very long
        return False
    return folded(normalize("NFC", bare)) in words and label_index(question, text) is None


def _read_whole(question: Question, text: str) -> Reply:
    if not trim(text):
        return Reply(unmatched=(question.id,))
    return Reply(answers={question.id: value_of(question, text)})


def _read_lines(questions: Sequence[Question], lines: Sequence[Line]) -> Reply:
    chosen = _chosen(lines)
    values = {question.id: chosen[at].value for at, question in enumerate(questions) if at in chosen}
    left_open = tuple(
        question.id for question in questions if _is_word(LEAVE_OPEN, question, values.get(question.id, ""))
    )
    answers = {
        question.id: value_of(question, values[question.id])
        for question in questions
        if question.id in values and question.id not in left_open
    }
    return Reply(
        answers=answers,
        unmatched=tuple(question.id for question in questions if question.id not in values),
        left_open=left_open,
        comment=_comment(lines, chosen),
        skipped=len(left_open) == len(questions),
    )


def _chosen(lines: Sequence[Line]) -> dict[int, Line]:
    """The line that counts for each question's index: the last one with its key, else the one in its place."""
    found: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if line.question is not None and trim(line.value):
            found[line.question].append(line)
    return {at: max(several, key=lambda line: (line.keyed, line.place)) for at, several in found.items()}


def _comment(lines: Sequence[Line], chosen: dict[int, Line]) -> str:
    used = {line.place for line in chosen.values()}
    return free_text("\n".join(line.text for line in lines if trim(line.value) and line.place not in used))
