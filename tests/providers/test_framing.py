"""From bytes to payloads: lines, fields, events, and what stands in for them."""

import pytest

from askweb.providers.events import Finish, TextDelta
from askweb.providers.reading import StreamReader

A = b'{"choices":[{"index":0,"delta":{"content":"mill"}}]}'
B = b'{"choices":[{"index":0,"delta":{"content":"pond"}}]}'
END = b'{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'


@pytest.mark.parametrize(
    "body",
    [
        b"data: %b\n\ndata: %b\n\ndata: %b\n\n",
        b"data:%b\n\ndata:%b\n\ndata:%b\n\n",
        b"data: %b\r\n\r\ndata: %b\r\n\r\ndata: %b\r\n\r\n",
        b"data: %b\r\rdata: %b\r\rdata: %b\r\r",
        b"data: %b\ndata: %b\ndata: %b\n",
        b"data: %b\n\ndata: %b\n\ndata: %b",
        b"\xef\xbb\xbfdata: %b\n\ndata: %b\n\ndata: %b\n\n",
        b"\xef\xbb\xbf: hi\n\ndata: %b\n\ndata: %b\n\ndata: %b\n\n",
        b"\n\n \n: hi\ndata: %b\n: hi\n\nid: 7\nretry: 10\ndata: %b\n\n:\ndata: %b\n\n",
        b"event: message\ndata: %b\n\nevent: x\ndata: %b\n\nData : %b\n\n",
        b"data: %b%b\n\ndata: %b\n\n",
        b"data: %b\ndata: %b %b\n\n",
        b"data: data: %b\n\ndata: data: %b\n\ndata: data: %b\n\n",
        b"data: : wait\n\ndata: %b\n\ndata:\n\ndata: null\n\ndata: 7\n\ndata: []\n\ndata: %b\n\ndata: %b\n\n",
        b"data: oh dear\n\ndata: %b\n\nnonsense\ndata: %b\n\ndata: %b\n\n",
        b"%b\n%b\n%b\n",
        b"data: [%b,%b]\n\ndata: %b\n\n",
        b'data: {"choices":[{"bro\ndata: %b\ndata: %b\n\ndata: %b\n\n',
    ],
)
def test_an_event_stream_may_be_framed_in_many_ways(read, body: bytes):
    got = read(body % (A, B, END))
    assert (got.text, got.ending.finish) == ("millpond", "stop")


def test_one_payload_may_take_several_data_lines(read):
    lines = b'data: {"choices": [\ndata: {"delta":\ndata:  {"content": "tall"}}\ndata: ]}\n\n'
    assert read(lines + b"data: " + END).text == "tall"


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\u000b", "\u000c", "\u2029", "\u001c"])
def test_only_cr_and_lf_end_a_line(read, separator: str):
    body = b"data: " + A.replace(b"mill", f"one{separator}two".encode())
    assert read(body + b"\n\n").text == f"one{separator}two"


def test_a_payload_is_handed_out_before_the_blank_line():
    reader = StreamReader(status=200, content_type="text/event-stream")
    assert reader.feed(b"data: " + A + b"\n") == [TextDelta("mill")]


def test_bad_utf8_is_replaced_and_counted(read):
    got = read(b"data: " + A.replace(b"mill", b"a\xffb\xc3(") + b"\n\ndata: " + END)
    assert (got.text, got.ending.replaced) == ("a\ufffdb\ufffd(", 2)


def test_a_raw_newline_inside_a_json_string_is_kept(read):
    assert read(b"data: " + A.replace(b"mill", b"mi\nll") + b"\n\n").text == "mi\nll"


@pytest.mark.parametrize("done", ["[DONE]", " [DONE] ", "[done]", '"[DONE]"'])
def test_nothing_after_done_is_taken(read_payloads, done: str):
    chunk = {"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]}
    assert read_payloads(chunk, done, chunk, {"error": "late"}).events == [TextDelta("ok"), Finish("stop")]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n\n\n",
        b": only\n\n: comments\n\n",
        b"data: : wrapped\n\n",
        b"data: [DONE]\n\n",
        b"data: " + A + b"\n\n",
        b"data: " + A + b"\n\ndata: oops\n\n",
        b"data: " + A[:30],
        b"dat",
        b"data: " + A + b"\n\nevent: erro",
    ],
)
def test_a_stream_without_finish_or_done_is_interrupted(read, body: bytes):
    got = read(body)
    assert (got.ending.outcome, got.ending.finish, got.ending.error) == ("interrupted", None, None)


@pytest.mark.parametrize(
    "body", [b"data: nope\n\n", b"nope\n", b"data: nope\n\ndata: [DONE]\n\n", b"data: {oops}\n\n"]
)
def test_nothing_but_noise_is_a_protocol_error_with_its_words(read, body: bytes):
    got = read(body)
    assert got.fault is not None
    assert (got.fault[0], got.ending.unreadable) == ("provider.protocol", 1)
    assert "op" in got.fault[1]


def test_noise_and_then_a_cut_is_interrupted(read):
    assert read(b"data: nope\n\n", cut=True).ending.outcome == "interrupted"


@pytest.mark.parametrize(
    "body",
    [
        b"data: " + A.replace(b"mill", b"m" * 999),
        b"data: " + A.replace(b"mill", b"m" * 999) + b"\n",
        b'data: {"a":\n' + b'data: "mmmmmmmmmmmmmmm",\n' * 50,
        b"{" + b" " * 999,
    ],
)
def test_what_is_too_long_is_a_protocol_error(read_apart, body: bytes):
    whole, apart = (
        read_apart(pieces, max_payload=500) for pieces in ([body], [bytes([byte]) for byte in body])
    )
    assert whole.fault == apart.fault == ("provider.protocol", "The provider sent too much at once.")


@pytest.mark.parametrize(
    "content_type", ["text/event-stream", "", "text/plain", "application/json", "text/html"]
)
def test_a_stream_is_a_stream_whatever_its_type_says(read, content_type: str):
    assert read(b"data: " + A + b"\n\ndata: " + END, content_type=content_type).text == "mill"


@pytest.mark.parametrize(
    "content_type", ["application/json", "Application/JSON; charset=utf-8", "text/plain", ""]
)
def test_a_whole_completion_is_an_answer(read, content_type: str):
    body = (
        b'\n \n{"choices":[{"message":{"content":"Aye"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}'
    )
    got = read(body, content_type=content_type)
    assert (got.text, got.ending.outcome) == ("Aye", "finished")


@pytest.mark.parametrize(
    ("content_type", "body", "words"),
    [
        (
            "text/html",
            b"<!doctype html><title>Log&nbsp;in</title><script>x()</script><p>Hotel",
            "Log in Hotel",
        ),
        ("text/event-stream", b"<html><b>Hotel</b>", "Hotel"),
        ("application/json", b'{"hello":"there"}', '{"hello":"there"}'),
        ("application/json", b'{"message":"come in"}', "come in"),
        ("application/json", b"[]", "[]"),
        ("application/json", b"null", "null"),
        ("text/plain", b"all is well", "all is well"),
    ],
)
def test_a_200_that_is_no_answer_is_a_protocol_error(read, content_type: str, body: bytes, words: str):
    assert read(body, content_type=content_type).fault == ("provider.protocol", words)


def test_a_whole_completion_cut_off_is_interrupted(read):
    got = read(b'{"choices":[{"message":{"content":"A', content_type="application/json", cut=True)
    assert (got.ending.outcome, got.text) == ("interrupted", "")


def test_the_reader_says_when_nothing_more_is_taken():
    reader = StreamReader(status=200, content_type="text/event-stream")
    reader.feed(b"data: " + A + b"\n\n")
    before = reader.done
    reader.feed(b"data: [DONE]\n\n")
    assert (before, reader.done) == (False, True)
