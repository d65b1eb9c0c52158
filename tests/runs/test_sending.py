"""What a run really sent takes the place of what it was to send."""

import pytest

from askweb.conversations.models import Content
from askweb.conversations.packing import TAKE_OUT, store_packed
from askweb.providers.fitting import Fitted
from askweb.runs.models import Run
from askweb.runs.sending import store_sent
from prompts.models import Assembly

pytestmark = pytest.mark.django_db

KEPT, REPLACED, SENT = (letter * TAKE_OUT for letter in "krs")


def test_the_texts_that_were_not_sent_after_all_are_gone(run: Run) -> None:
    turns = [{"role": "user", "content": KEPT}]
    assembly = {"messages": [{"role": "user", "content": REPLACED}], "turns": turns, "warnings": []}
    store_packed([(Assembly(run=run), assembly)])
    store_sent(run, Fitted([{"role": "user", "content": SENT}], {}, []))
    assert {content.text() for content in Content.objects.all()} == {KEPT, SENT}


def test_nothing_is_stored_under_an_old_epoch(run: Run) -> None:
    store_packed([(Assembly(run=run), {"messages": [], "warnings": []})])
    Run.objects.update(epoch=run.epoch + 1)
    store_sent(run, Fitted([{"role": "user", "content": SENT}], {}, []))
    assert Assembly.objects.get().shape()["messages"] == []
