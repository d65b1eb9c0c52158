"""Question sets as a script asks them, and their past. No engine runs here."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from askweb.accounts.models import User
from questions.models import QuestionSet
from questions.posting import post_questions

AskSet = Callable[..., QuestionSet]
Call = Callable[..., Any]


def question(id_: str = "target", *labels: str, **more: Any) -> dict[str, Any]:
    """A question as a call has it; its header is its id with a capital."""
    options = [{"label": label} for label in labels or ("Staging (Recommended)", "Production")]
    return {"id": id_, "header": id_.capitalize(), "question": f"Which {id_}?", "options": options, **more}


def several(*ids: str) -> list[dict[str, Any]]:
    return [question(id_) for id_ in ids]


@pytest.fixture
def ask_set(person: User) -> AskSet:
    """Ask the person; `fields` are changed afterwards, such as what only tools have."""

    def ask_set(*questions: dict[str, Any], seconds: int = 900, **fields: Any) -> QuestionSet:
        row = post_questions(
            person, {"questions": list(questions) or [question()], "timeoutSeconds": seconds}
        )
        QuestionSet.objects.filter(pk=row.pk).update(**fields)
        row.refresh_from_db()
        return row

    return ask_set


@pytest.fixture
def call(api: APIClient) -> Call:
    """POST to a set's action, or PUT its draft, and return the answer."""

    def call(row: QuestionSet, action: str, body: object = None, client: APIClient = api) -> Any:
        method = client.put if action == "draft" else client.post
        return method(f"/api/questions/{row.pk}/{action}/", body or {})

    return call


def let_pass(row: QuestionSet, seconds: float) -> None:
    """Let the set have been asked earlier by so much, its deadline included."""
    by = timedelta(seconds=seconds)
    earlier = QuestionSet.objects.get(pk=row.pk)
    QuestionSet.objects.filter(pk=row.pk).update(
        created=earlier.created - by, expires_at=earlier.expires_at - by
    )
