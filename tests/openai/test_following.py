"""Following a run: what the client never sees breaks no silence."""

import asyncio

import pytest

from askweb.ids import new_id
from askweb.openai import following
from askweb.openai.following import Following
from askweb.runs.hub import Frame, hub
from askweb.runs.models import Run


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run that goes on for ever, in a process where silence is short."""

    async def is_active(act: object, run_id: object) -> None:
        """Nothing has ended."""

    monkeypatch.setattr(following, "in_database", is_active)
    monkeypatch.setattr(following, "SILENCE", 0.05)
    return Run(conversation_id=new_id())


async def test_previews_of_a_question_are_no_sign_of_life(run: Run) -> None:
    preview = Frame(f'{{"meta":{{"event":"question.preview","run":"{run.pk}"}}}}', run.conversation_id)

    async def write() -> None:
        while True:
            hub.publish(run.conversation_id, preview)
            await asyncio.sleep(0.01)

    writing = asyncio.create_task(write())
    steps = Following(run, deltas=True).steps()
    try:
        assert await asyncio.wait_for(anext(steps), 5) is None
    finally:
        writing.cancel()
        await steps.aclose()
