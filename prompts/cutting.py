"""Cutting a text to what there is room for: at paragraphs, visibly, by the policy of the tool."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from prompts.estimating import Estimator
from prompts.options import BudgetPolicy
from prompts.ranking import ranked

Span = tuple[int, int]

HEAD_SHARE = 2 / 3
LARGE_PIECE, SMALL_PIECE = 600, 40
"""Characters. What is shown is chosen in pieces of no more than a quarter of the room, if that is not too small."""
ENOUGH = 12
"""Characters for each token that there is room for, among which the pieces that are shown are sought."""
PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
SENTENCE = re.compile(r"[.!?]\s+|[。！？｡]\s*|\n")
ENDS = ((PARAGRAPH, 0.5), (re.compile(r"\n"), 0.7), (SENTENCE, 0.8), (re.compile(r"\s"), 0.9))
"""Where a text is best cut, and how much of what would fit must be left for that."""
JOINER = "\u200d"


@dataclass(frozen=True)
class Cut:
    """A text with marks where something is missing; `kept` and `left_out` are characters of the original."""

    text: str
    kept: int
    left_out: int


@dataclass(frozen=True)
class Cutter:
    """How texts of one turn are cut: by which policy, against which question, for which model."""

    estimator: Estimator
    policy: BudgetPolicy = "head"
    question: str = ""
    _order: dict[str, list[Span]] = field(default_factory=dict, repr=False, compare=False)

    def cut(self, text: str, tokens: float, policy: BudgetPolicy | None = None) -> Cut:
        """Keep of the text what fits in so many tokens, marks included; with no room only the mark is left."""
        if self.estimator.head(text, tokens) == len(text):
            return Cut(text, len(text), 0)
        return _marked(text, self._spans(text, tokens - self.mark_tokens, policy or self.policy))

    def _spans(self, text: str, tokens: float, policy: BudgetPolicy) -> list[Span]:
        if policy == "relevant" and self.question.strip():
            return self._relevant(text, tokens)
        if policy == "head_tail":
            head = _end_before(text, self.estimator.head(text, tokens * HEAD_SHARE))
            tail = _start_after(text, len(text) - self.estimator.tail(text, tokens * (1 - HEAD_SHARE)))
            return [(0, head), (max(head, tail), len(text))]
        return [(0, _end_before(text, self.estimator.head(text, tokens)))]

    def _relevant(self, text: str, tokens: float) -> list[Span]:
        """The pieces that answer the question best, in their own order; a gap between two costs a mark."""
        pieces = self._best(text, tokens)
        chosen: list[Span] = []
        for piece in self._ranked(text, pieces):
            gaps = bool(chosen) and not any(piece[1] == each[0] or piece[0] == each[1] for each in chosen)
            cost = self.estimator.tokens(text[slice(*piece)]) + gaps * self.mark_tokens
            if cost > tokens:
                break
            tokens -= cost
            chosen.append(piece)
        return sorted(chosen)

    def _best(self, text: str, tokens: float) -> list[Span]:
        """Small pieces of those large ones that answer best, in order. So the whole text is ranked only once."""
        if text not in self._order:
            self._order[text] = self._ranked(text, _pieces(text, [(0, len(text))], LARGE_PIECE))
        best: list[Span] = []
        length = 0
        for piece in self._order[text]:
            if len(best) > 2 and length > ENOUGH * tokens:
                break
            best.append(piece)
            length += piece[1] - piece[0]
        return _pieces(text, sorted(best), max(int(tokens / 4), SMALL_PIECE))

    def _ranked(self, text: str, pieces: list[Span]) -> list[Span]:
        order = ranked(self.question, [text[start:end] for start, end in pieces])
        return [pieces[index] for index in order]

    @property
    def mark_tokens(self) -> int:
        return self.estimator.tokens(mark(99_999_999)) + 4


def mark(characters: int) -> str:
    return f"[… {characters:,} characters left out …]"


def _marked(text: str, spans: Iterable[Span]) -> Cut:
    """The spans with a mark in each gap. Blanks at the edge of a gap belong to it."""
    shown: list[str] = []
    kept = reached = 0
    for start, end in [*_joined(text, spans), (len(text), len(text))]:
        if start > reached:
            shown.append(mark(start - reached))
        if end > start:
            shown.append(text[start:end])
        kept += end - start
        reached = end
    return Cut("\n\n".join(shown), kept, len(text) - kept)


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    """Neighbours as one, without the blanks at a gap."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            start = joined.pop()[0]
        joined.append((start, end))
    return [span for each in joined if (span := _trimmed(text, each))[0] < span[1]]


def _trimmed(text: str, span: Span) -> Span:
    start, end = span
    if end < len(text):
        end = start + len(text[start:end].rstrip())
    if start > 0:
        start = end - len(text[start:end].lstrip())
    return start, end


def _end_before(text: str, end: int) -> int:
    """The best place to end that is not after `end`."""
    for pattern, share in ENDS:
        start = int(end * share)
        last = max((found.end() for found in pattern.finditer(text, start, end)), default=0)
        if last > 0:
            return last
    return _between_characters(text, end)


def _start_after(text: str, start: int) -> int:
    """The best place to begin that is not before `start`."""
    size = len(text) - start
    for pattern, share in ENDS:
        found = pattern.search(text, start, len(text) - int(size * share))
        if found:
            return found.end()
    return _between_characters(text, start)


def _between_characters(text: str, place: int) -> int:
    """Not inside of what is drawn as one character, such as a letter and its accent."""
    for at in range(place, max(place - 16, 0), -1):
        if at == len(text) or not (
            unicodedata.combining(text[at])
            or JOINER in text[at - 1 : at + 1]
            or text[at - 1 : at + 1] == "\r\n"
        ):
            return at
    return place


def _pieces(text: str, spans: Iterable[Span], longest: int) -> list[Span]:
    """Paragraphs, long ones in sentences, and what has neither in lengths. Together they are the spans."""
    pieces: list[Span] = []
    for start, end in spans:
        for paragraph in _parted(text, PARAGRAPH, start, end):
            if paragraph[1] - paragraph[0] <= longest:
                pieces.append(paragraph)
            else:
                pieces += _short(_parted(text, SENTENCE, *paragraph), longest)
    return pieces


def _short(sentences: Iterable[Span], longest: int) -> list[Span]:
    """Sentences put together while they are short, and cut where they are long."""
    short: list[Span] = []
    for start, end in sentences:
        if short and end - short[-1][0] <= longest:
            short[-1] = (short[-1][0], end)
        else:
            short += [(at, min(at + longest, end)) for at in range(start, end, longest)]
    return short


def _parted(text: str, pattern: re.Pattern[str], start: int, end: int) -> list[Span]:
    ends = [found.end() for found in pattern.finditer(text, start, end)]
    if not ends or ends[-1] < end:
        ends.append(end)
    return list(zip([start, *ends], ends, strict=False))
