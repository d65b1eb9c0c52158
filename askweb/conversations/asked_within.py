"""Summaries of questions inside a reply's HTML, where its rules say that they were asked."""

import re
from collections.abc import Sequence

from django.template.loader import render_to_string

from questions.summary import Summary

RULE = re.compile(r'<hr data-question-set="([0-9a-f-]{36})">')


def with_summaries(html: str, asked: Sequence[Summary]) -> str:
    """Put each summary in place of its rule. A rule whose set is gone stays a rule."""
    known = {str(summary.id): summary for summary in asked}
    return RULE.sub(lambda rule: _summary(known[rule[1]]) if rule[1] in known else rule[0], html)


def without_place(html: str, asked: Sequence[Summary]) -> list[Summary]:
    """Those that have ended and have no rule: of replies that were written before there were any."""
    placed = set(RULE.findall(html))
    return [summary for summary in asked if str(summary.id) not in placed and not summary.is_waiting]


def _summary(summary: Summary) -> str:
    return render_to_string("questions/_summary.html", {"summary": summary}).strip()
