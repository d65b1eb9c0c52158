"""A run on the live server that has come to ask the person."""

from collections.abc import Mapping
from typing import Any

from tests.stand_ins import sse
from tests.stand_ins.server import Asked, LiveServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

TARGET = {
    "id": "deploy_target",
    "header": "Target",
    "question": "Where shall it go?",
    "options": [{"label": "Staging (Recommended)"}, {"label": "Production"}],
}
XML = (
    "I can set it up.\n\n<ask_followup_question>\n<question>Which one?</question>\n<follow_up>\n"
    "<suggest>Use Vue</suggest>\n<suggest>Use React & co</suggest>\n</follow_up>\n</ask_followup_question>"
)
OFFERED = {"questions": [TARGET]}


def ask_by_function(upstream: Upstream, arguments: object = OFFERED, id_: str = "call_1") -> None:
    upstream.will_send(*sse.calls(sse.call("ask_user", arguments, id_)))


def ask_by_xml(upstream: Upstream, text: str = XML) -> None:
    upstream.will_send(*sse.reply(*text))


def waiting(server: LiveServer, provider: str, **meta: object) -> tuple[Asked, dict[str, Any]]:
    """Ask, and return what was asked in return."""
    asked = server.ask(provider, **meta)
    return asked, question_set(server, asked)


def question_set(server: LiveServer, asked: Asked, status: str = "pending") -> dict[str, Any]:
    """The newest set of its conversation, once it has this status."""
    path = f"/api/questions/?conversation={asked.conversation}&status={status}"
    found: list[dict[str, Any]] = until(
        f"a set is {status}; the log is\n{server.log}", lambda: server.get(path).json["results"]
    )
    return found[0]


def answer(server: LiveServer, row: Mapping[str, Any], index: int = 0, **more: object) -> dict[str, Any]:
    answers = {row["questions"][0]["id"]: {"options": [index]}}
    posted = server.post(
        f"/api/questions/{row['id']}/answer/", {"client_id": "c", "answers": answers, **more}
    )
    assert posted.status == 200, posted.body
    result: dict[str, Any] = posted.json
    return result


def sent(upstream: Upstream) -> list[dict[str, Any]]:
    """The messages of the next call of the model."""
    messages: list[dict[str, Any]] = upstream.next_call().body["messages"]
    return messages
