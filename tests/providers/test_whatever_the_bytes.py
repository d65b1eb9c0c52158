"""What holds for any bytes at all: no exception, no silent success, no dependence on how they were cut up."""

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from askweb.providers.events import FunctionCallDelta, ReasoningDelta, TextDelta
from askweb.providers.reading import StreamReader

ODD = st.sampled_from(
    [
        None,
        "",
        "x",
        0,
        -1,
        True,
        1e99,
        [],
        {},
        [None],
        [[]],
        {"a": 1},
        "<think>",
        "</think>",
        "\ud83d",
        "\x00",
        "{",
        "}",
    ]
)
WORDS = st.one_of(ODD, st.text(max_size=9), st.sampled_from(["stop", "error", "tool_calls", '{"a":1}', "hm"]))
FUNCTIONS = st.fixed_dictionaries({}, optional={"name": WORDS, "arguments": WORDS})
CALLS = st.fixed_dictionaries(
    {}, optional={"index": WORDS, "id": WORDS, "function": st.one_of(ODD, FUNCTIONS)}
)
DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "content": st.one_of(
            WORDS, st.lists(st.fixed_dictionaries({"type": WORDS, "text": WORDS}), max_size=2)
        ),
        "reasoning_content": WORDS,
        "reasoning_details": st.one_of(ODD, st.lists(st.fixed_dictionaries({"text": WORDS}), max_size=2)),
        "refusal": WORDS,
        "tool_calls": st.one_of(ODD, st.lists(CALLS, max_size=3)),
    },
)
CHOICES = st.fixed_dictionaries(
    {}, optional={"index": WORDS, "delta": st.one_of(ODD, DELTAS), "finish_reason": WORDS}
)
PAYLOADS = st.fixed_dictionaries(
    {},
    optional={
        "choices": st.one_of(ODD, st.lists(CHOICES, max_size=2)),
        "usage": st.one_of(ODD, st.fixed_dictionaries({"prompt_tokens": WORDS, "completion_tokens": WORDS})),
        "error": st.one_of(
            st.none(), st.none(), WORDS, st.fixed_dictionaries({"message": WORDS, "code": WORDS})
        ),
        "code": WORDS,
        "message": WORDS,
    },
)
LINES = st.one_of(
    PAYLOADS.map(lambda payload: b"data: " + dumped(payload)),
    st.sampled_from(
        [b"", b"", b"data: [DONE]", b"event: error", b": hi", b'data: {"a":', b"data: 1}", b"<p>", b"\xff"]
    ),
    st.binary(max_size=20),
)
BODIES = st.tuples(
    st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\n\n", b"\r\n\r\n", b"\r"])), max_size=8),
    st.integers(0, 20),
).map(lambda body: b"".join(line + end for line, end in body[0])[: -body[1] or None])


def dumped(payload: object) -> bytes:
    try:
        return orjson.dumps(payload)
    except TypeError:  # a lone surrogate
        return b'{"choices":[{"delta":{"content":"\\ud83d"}}]}'


def outcome_of(pieces, status, cut):
    reader = StreamReader(status=status, content_type="text/event-stream")
    events = [event for piece in pieces for event in reader.feed(piece)]
    ending = reader.end(cut=cut)
    error = ending.error and (ending.error.code, ending.error.message)
    return events + ending.events, ending.outcome, ending.calls, ending.usage, error


@settings(max_examples=400, deadline=None)
@given(
    body=BODIES, at=st.integers(0, 500), status=st.sampled_from([200, 200, 200, 404, 500]), cut=st.booleans()
)
def test_any_cutting_up_gives_the_same_and_nothing_raises(body: bytes, at: int, status: int, cut: bool):
    whole = outcome_of([body], status, cut)
    assert outcome_of([body[:at], b"", body[at:]], status, cut) == whole
    assert outcome_of([body[n : n + 1] for n in range(len(body))], status, cut) == whole


@settings(max_examples=300, deadline=None)
@given(body=BODIES, cut=st.booleans())
def test_success_is_never_silent(body: bytes, cut: bool):
    _, outcome, calls, _, error = outcome_of([body], 200, cut)
    assert outcome != "finished" or b"finish_reason" in body or b"DONE" in body
    assert (outcome == "failed") is (error is not None)
    assert outcome == "finished" or not calls


@settings(max_examples=300, deadline=None)
@given(body=BODIES)
def test_every_text_can_be_stored(body: bytes):
    events = outcome_of([body], 200, False)[0]
    texts = [event.text for event in events if isinstance(event, TextDelta | ReasoningDelta)]
    pieces = [event.arguments for event in events if isinstance(event, FunctionCallDelta)]
    assert all(texts)
    assert b"\x00" not in "".join(texts + pieces).encode()
