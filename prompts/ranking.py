"""Ranking parts of a page against a question: BM25 over words, and pairs of characters where no spaces part words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\U0010ffff"
"""Thai, Lao, Burmese, Khmer, and from CJK on."""
WORD = re.compile(rf"[^\W_{SPACELESS}]+")
RUN = re.compile(rf"[{SPACELESS}]+")
MOST_WORDS, MOST_PAIRS = 200, 64
"""Of a question, so that a long one costs no more."""
SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""BM25's k1 and b, at their usual values (Robertson and Zaragoza, 2009)."""


@dataclass(frozen=True)
class Query:
    words: frozenset[str]
    pairs: tuple[str, ...]

    @classmethod
    def of(cls, question: str) -> "Query":
        folded = question.casefold()
        words = dict.fromkeys(WORD.findall(folded))
        pairs = dict.fromkeys(pair for run in RUN.findall(folded) for pair in _pairs(run))
        return cls(frozenset([*words][:MOST_WORDS]), tuple([*pairs][:MOST_PAIRS]))


def ranked(question: str, texts: Sequence[str]) -> list[int]:
    """The indexes of the texts, what answers the question best first; equals stay in order."""
    scores = _scores(Query.of(question), texts)
    return sorted(range(len(texts)), key=lambda index: -scores[index])


def _scores(query: Query, texts: Sequence[str]) -> list[float]:
    counts = [_counts(query, text) for text in texts]
    average = sum(map(len, texts)) / max(len(texts), 1) or 1
    holding: dict[str, int] = {}
    for count in counts:
        for term in count:
            holding[term] = holding.get(term, 0) + 1
    weights = {term: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for term, n in holding.items()}
    scores = []
    for text, count in zip(texts, counts, strict=True):
        damping = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(text) / average)
        scores.append(sum(weights[t] * n * (SATURATION + 1) / (n + damping) for t, n in count.items()))
    return scores


def _counts(query: Query, text: str) -> dict[str, int]:
    """How often each term of the query is in the text; only those that are."""
    folded = text.casefold()
    counts: dict[str, int] = {}
    for word in WORD.findall(folded) if query.words else ():
        if word in query.words:
            counts[word] = counts.get(word, 0) + 1
    return counts | {pair: number for pair in query.pairs if (number := folded.count(pair))}


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
