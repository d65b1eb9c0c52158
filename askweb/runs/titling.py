"""Titles that a model makes, for people who have turned that on: one short call after the first answer."""

import json
import logging
from collections.abc import Sequence
from typing import Any, Final

from django.db import Error as DatabaseFault

from askweb.conversations.frames import announce_on_feed
from askweb.conversations.models import TITLE_LENGTH, Conversation
from askweb.providers.adapting import Request
from askweb.providers.addresses import is_guarded
from askweb.providers.calling import call_model
from askweb.providers.capabilities import capabilities_of
from askweb.providers.errors import ProviderError
from askweb.providers.events import Ending, TextDelta
from askweb.providers.models import Provider
from askweb.providers.reaching import reach
from askweb.runs.database import in_database
from askweb.runs.means import Means
from askweb.runs.models import Run
from questions.results import not_for_sub_runs

logger = logging.getLogger(__name__)

WISH: Final = (
    "Write a title for this conversation, in its language, of at most six words. Answer with the title alone: no "
    "quotation marks, no full stop."
)
SHOWN = 2000
"""Characters of question and answer each that the model sees."""
MOST_CALLS = 2
OPTIONS: Final = {"max_tokens": 60}


async def make_title(run: Run, means: Means) -> None:
    """Give the conversation a title, unless the person has. What goes wrong costs nothing but the title."""
    try:
        texts = await in_database(_texts, run)
        if texts is None or run.provider is None:
            return
        title = await _ask(run.provider, run.model, _messages(*texts), means)
        if title:
            await in_database(_store, run, title)
    except ProviderError as error:
        logger.info("run %s got no title: %s", run.pk, error.code)
    except DatabaseFault:
        logger.exception("run %s got no title", run.pk)


def _texts(run: Run) -> tuple[str, str] | None:
    """Question and answer; None where no title is wanted."""
    conversation = Conversation.objects.select_related("user").filter(pk=run.conversation_id).first()
    if conversation is None or conversation.titled or not conversation.user.model_titles:
        return None
    if conversation.runs.count() > 1:
        return None
    run.reply.refresh_from_db(fields=["content"])
    return run.message.content[:SHOWN] or conversation.title, run.reply.content[:SHOWN]


def _messages(question: str, answer: str) -> list[dict[str, Any]]:
    return [
        {
            "role": "user",
            "content": f"<question>\n{question}\n</question>\n<answer>\n{answer}\n</answer>\n\n{WISH}",
        }
    ]


async def _ask(provider: Provider, model: str, messages: Sequence[dict[str, Any]], means: Means) -> str:
    """The model's title; a call of a function is told once that nobody is there."""
    session = means.sessions.for_calls(guarded=await in_database(is_guarded, provider))
    capabilities = await in_database(capabilities_of, provider, model)
    async with reach(provider, means.local) as endpoint:
        for _call in range(MOST_CALLS):
            body = Request(model, messages, OPTIONS, capabilities).body()
            async with call_model(
                session, endpoint, body, timers=means.timers, capabilities=capabilities
            ) as call:
                text = "".join(
                    [
                        event.text
                        async for events in call.batches()
                        for event in events
                        if isinstance(event, TextDelta)
                    ]
                )
                ending = call.ended()
            if not ending.calls:
                return _title(text) if ending.outcome == "finished" else ""
            messages = [*messages, *_refusal(text, ending)]
    return ""


def _refusal(text: str, ending: Ending) -> list[dict[str, Any]]:
    error = json.dumps(not_for_sub_runs())
    calls = [
        {"id": each.id, "type": "function", "function": {"name": each.name, "arguments": each.raw}}
        for each in ending.calls
    ]
    results = [{"role": "tool", "tool_call_id": each.id, "content": error} for each in ending.calls]
    return [{"role": "assistant", "content": text, "tool_calls": calls}, *results]


def _title(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.strip().strip("\"'“”「」《》*# ").rstrip(".。")[:TITLE_LENGTH].strip()


def _store(run: Run, title: str) -> None:
    rows = Conversation.objects.filter(pk=run.conversation_id, titled=False)
    if rows.touch(title=title, titled=True):
        announce_on_feed("conversation.updated", Conversation.objects.get(pk=run.conversation_id))
