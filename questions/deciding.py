"""What one turn of the model comes to: a question for the person, errors for the model, or neither."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from django.utils.translation import gettext as _

from askweb.conversations.function_calls import FunctionCallShape
from questions.followup import Outcome
from questions.followup_xml import FollowupCall, FollowupFault, read_native_followup
from questions.results import (
    FollowupShape,
    Refused,
    ask_alone,
    ask_one_at_a_time,
    followup_shape,
    no_such_function,
    not_for_sub_runs,
    refused,
    refused_followup,
)
from questions.schema import DEFAULT_TIMEOUT, read_call
from questions.shapes import Option, Question

ASK_USER: Final = "ask_user"
FOLLOWUP: Final = "ask_followup_question"
OURS: Final = frozenset({ASK_USER, FOLLOWUP})
FOLLOWUP_ID: Final = "followup"
HAN, KANA = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff]")


@dataclass(frozen=True)
class Asked:
    """A good call: what to ask, and for how many seconds. `call_id` is empty for a call in running text."""

    questions: Sequence[Question]
    seconds: int
    source: Literal["function", "xml"]
    call_id: str = ""
    followup: FollowupShape | None = None


@dataclass(frozen=True)
class Decision:
    """`calls` are the turn's, each with its result if it has one already; the asked one's comes later.

    `goes_on`: the model is to be called again, at once or after the answer. `errors` go back as messages of the
    user, for calls that were no functions'. `mistakes` are in a row: the bad calls since the last good one.
    """

    calls: Sequence[FunctionCallShape] = ()
    goes_on: bool = False
    asked: Asked | None = None
    errors: Sequence[str] = ()
    mistakes: int = 0

    def taken(self) -> "Decision":
        """The same, where somebody else has asked in the meantime."""
        if self.asked is None:
            return self
        error = ask_one_at_a_time()
        calls = [call if call["result"] is not None else _answered(call, error) for call in self.calls]
        errors = self.errors if self.asked.call_id else [_error_text(error), *self.errors]
        return replace(self, asked=None, calls=calls, errors=errors)


class Deciding:
    """Judges calls in their order; the first good one is asked.

    `nobody`: there is nobody to ask. `theirs`: the client's functions. `chinese`: errors are told in Chinese, as
    they are for a Chinese call.
    """

    def __init__(
        self, *, mistakes: int, nobody: bool, chinese: bool, theirs: Collection[str] = frozenset()
    ) -> None:
        self._mistakes = mistakes
        self._nobody = nobody
        self._chinese = chinese
        self._theirs = theirs
        self._asked: Asked | None = None
        self._errors: list[str] = []

    def decide(self, calls: Sequence[FunctionCallShape], followup: Outcome | None = None) -> Decision:
        """With calls of the client's functions nothing is asked, and the turn is the last; so it is with calls of
        functions alone that nobody has.
        """
        written = followup.raw if followup is not None else None
        asks = written is not None or any(_is_ours(call) for call in calls)
        if not asks or any(call["name"] in self._theirs for call in calls):
            told = [_answered(call, ask_alone()) if _is_ours(call) else call for call in calls]
            if written is not None:
                told.append(_answered(_written(written), ask_alone()))
            return Decision(told, mistakes=self._mistakes)
        judged = [self._judge_function(call) for call in calls]
        if followup is not None and written is not None:
            judged.append(self._judge_followup(followup, written))
        return Decision(judged, bool(judged), self._asked, self._errors, self._mistakes)

    def _judge_function(self, call: FunctionCallShape) -> FunctionCallShape:
        if not _is_ours(call):
            return _answered(call, no_such_function())
        if (error := self._not_now()) is not None:
            return _answered(call, error)
        read = read_call(call["raw"]) if call["name"] == ASK_USER else read_native_followup(call["raw"])
        if isinstance(read, FollowupFault):
            return _answered(call, self._mistake(self._refused(read, call["raw"])))
        if isinstance(read, tuple):
            return _answered(call, self._mistake(refused(read)))
        if isinstance(read, FollowupCall):
            self._ask(_followup(read, call["id"]))
        else:
            self._ask(Asked(read.questions, read.timeout_seconds, "function", call["id"]))
        return call

    def _judge_followup(self, found: Outcome, raw: str) -> FunctionCallShape:
        call = _written(raw)
        error = self._not_now()
        if error is None and found.fault is not None:
            error = self._mistake(self._refused(found.fault, raw))
        if error is None and found.call is not None:
            call["arguments"] = {"question": found.call.question, "follow_up": list(found.call.suggestions)}
            self._ask(_followup(found.call, ""))
        later = [ask_one_at_a_time() for _raw in found.later]
        self._errors += [_error_text(each) for each in (error, *later) if each is not None]
        return call if error is None else _answered(call, error)

    def _refused(self, fault: FollowupFault, raw: str) -> Refused:
        return refused_followup(fault, chinese=self._chinese or _is_chinese(raw))

    def _not_now(self) -> Refused | None:
        if self._nobody:
            return not_for_sub_runs()
        return ask_one_at_a_time() if self._asked else None

    def _mistake(self, error: Refused) -> Refused:
        self._mistakes += 1
        return error

    def _ask(self, asked: Asked) -> None:
        self._asked = asked
        self._mistakes = 0


def _written(raw: str) -> FunctionCallShape:
    return {"id": "", "name": FOLLOWUP, "arguments": {}, "raw": raw, "result": None}


def _followup(call: FollowupCall, call_id: str) -> Asked:
    options = tuple(Option(each) for each in call.suggestions)
    question = Question(FOLLOWUP_ID, _("Question"), call.question, options)
    return Asked((question,), DEFAULT_TIMEOUT, "xml", call_id, followup_shape(call))


def _is_chinese(text: str) -> bool:
    return bool(HAN.search(text)) and not KANA.search(text)


def _is_ours(call: FunctionCallShape) -> bool:
    return call["name"] in OURS


def _answered(call: FunctionCallShape, result: Refused) -> FunctionCallShape:
    return {**call, "result": json.dumps(result, ensure_ascii=False)}


def _error_text(error: Refused) -> str:
    """An error for a model that called no function, as its next user message."""
    return "<error>\n" + "\n".join(each["message"] for each in error["errors"]) + "\n</error>"
