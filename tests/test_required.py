"""ASKWEB_REQUIRE: a skip for want of a required thing is a failure."""

import pytest

from tests.required import without_excuse


def report_of(reason: str) -> pytest.TestReport:
    place = ("tests/test_it.py", 1, f"Skipped: {reason}")
    return pytest.TestReport("test_it", ("tests/test_it.py", 1, "test_it"), {}, "skipped", place, "setup")


@pytest.mark.parametrize(
    ("required", "outcome"),
    [("", "skipped"), ("redis", "skipped"), ("chromium", "failed"), ("redis chromium", "failed")],
)
def test_a_missing_thing_is_an_excuse_unless_it_is_required(
    monkeypatch: pytest.MonkeyPatch, required: str, outcome: str
) -> None:
    monkeypatch.setenv("ASKWEB_REQUIRE", required)
    assert without_excuse(report_of("chromium: not installed")).outcome == outcome


def test_any_other_reason_stays_a_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKWEB_REQUIRE", "redis")
    assert without_excuse(report_of("redis is not what this is about")).outcome == "skipped"
