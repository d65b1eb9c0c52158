"""Times in pages: whole in themselves, for whoever has no scripts."""

from datetime import datetime, timedelta, timezone

import pytest
from django.utils import translation

from askweb.template_tags import moment

WHEN = datetime(2026, 3, 1, 10, 11, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "March 1, 2026, 2:11 a.m. UTC"), ("zh-hans", "2026年3月1日 02:11 UTC")],
)
def test_a_time_is_in_the_language_of_the_page_and_names_its_zone(language: str, words: str) -> None:
    with translation.override(language):
        assert f">{words}</time>" in moment(WHEN)


def test_it_tells_scripts_the_moment() -> None:
    assert 'datetime="2026-03-01T02:11:00+00:00"' in moment(WHEN)
