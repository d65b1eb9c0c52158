"""The log never holds what people wrote, whatever the database says of it."""

import logging
import sqlite3
from logging.config import DictConfigurator

import pytest
from django.conf import settings
from django.db import IntegrityError
from django.urls import reverse

from askweb.logs import without_tokens, without_values

ROW = 'null value in column "html" violates not-null constraint\nDETAIL:  Failing row contains (1, a secret\npage).'


@pytest.fixture
def formatter() -> logging.Formatter:
    """The one that the product logs with."""
    return DictConfigurator({}).configure_formatter(settings.LOGGING["formatters"]["line"])  # type: ignore[arg-type,return-value]


def fault(words: str) -> IntegrityError:
    """As Django raises it: the driver's own is its cause."""
    try:
        try:
            raise sqlite3.IntegrityError(words)
        except sqlite3.IntegrityError as error:
            raise IntegrityError(*error.args) from error
    except IntegrityError as error:
        return error


def record(message: str, *args: object, error: Exception | None = None) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("askweb", logging.ERROR, __file__, 1, message, args, exc_info)


def test_a_traceback_tells_what_went_wrong_without_the_row(formatter: logging.Formatter) -> None:
    line = formatter.format(record("run crashed", error=fault(ROW)))
    assert line.count("violates not-null constraint\n") == 1
    assert line.endswith('IntegrityError: null value in column "html" violates not-null constraint')
    assert "secret" not in line
    assert "page)" not in line


def test_so_does_one_of_an_error_that_came_of_it(formatter: logging.Formatter) -> None:
    try:
        raise ValueError("no run") from fault(ROW)
    except ValueError as error:
        line = formatter.format(record("run crashed", error=error))
    assert line.endswith("ValueError: no run")
    assert "secret" not in line


def test_so_does_a_message(formatter: logging.Formatter) -> None:
    assert "secret" not in formatter.format(record("could not save: %s", fault(ROW)))


@pytest.mark.parametrize(
    ("told", "logged"),
    [
        (f"Gone: {reverse('sign-in-link', args=['a-Secret_1'])}", "Gone: /sign-in/…/"),
        (f"Gone: {reverse('invitation', args=['a-Secret_1'])}", "Gone: /invitations/…/"),
        ("WSCONNECTING /ws/?since=5&ticket=a-Secret_1", "WSCONNECTING /ws/?since=5&ticket=…"),
        ("GET /sign-in/a-Secret_1?x=1 HTTP/1.1", "GET /sign-in/…?x=1 HTTP/1.1"),
        ("GET /sign-in/?next=/pair/", "GET /sign-in/?next=/pair/"),
        ("GET /v1/models?max_tokens=5", "GET /v1/models?max_tokens=5"),
    ],
)
def test_an_address_is_told_without_its_token(formatter: logging.Formatter, told: str, logged: str) -> None:
    assert formatter.format(record(told)).endswith(logged)
    assert without_tokens(told) == logged


def test_other_errors_are_told_whole(formatter: logging.Formatter) -> None:
    line = formatter.format(record("run crashed", error=ValueError("first\nsecond")))
    assert line.endswith("ValueError: first\nsecond")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ('invalid input syntax for type uuid: "a secret"', "invalid input syntax for type uuid: …"),
        (
            'invalid input syntax for type json: "a\nsecret"\nDETAIL: …',
            "invalid input syntax for type json: …",
        ),
        (
            'duplicate key value violates unique constraint "once"',
            'duplicate key value violates unique constraint "once"',
        ),
        ("UNIQUE constraint failed: runs_run.id", "UNIQUE constraint failed: runs_run.id"),
        ("", ""),
    ],
)
def test_what_went_wrong_stays(words: str, told: str) -> None:
    assert without_values(words) == told
