"""Errors: inside a 200, and as HTTP status; what they mean, in whose words."""

import orjson
import pytest

from askweb.providers.errors import ProviderError
from askweb.providers.events import TextDelta

TEXT = {"choices": [{"index": 0, "delta": {"content": "Once"}}]}


@pytest.mark.parametrize(
    ("payload", "code", "message"),
    [
        ({"error": {"message": "boom", "code": 503}}, "unavailable", "boom"),
        ({"error": {"message": "boom"}}, "unavailable", "boom"),
        ({"error": {"error": {"message": "boom", "code": "429"}}}, "rate_limit", "boom"),
        ({"error": "boom"}, "unavailable", "boom"),
        ({"error": ["boom"]}, "unavailable", "boom"),
        ({"error": True}, "unavailable", "The provider reported an error."),
        ({"error": {"code": 401}}, "auth", "The provider reported an error."),
        ([{"error": {"message": "boom", "code": 402}}], "billing", "boom"),
        ({"errors": [{"message": "boom", "code": 400}]}, "bad_request", "boom"),
        ({"object": "error", "message": "boom", "code": 404}, "bad_request", "boom"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "boom"}}, "unavailable", "boom"),
        ({"error_type": "rate_limit_error", "error_message": "boom"}, "rate_limit", "boom"),
        ({"code": "1113", "msg": "boom"}, "billing", "boom"),
        ({"code": "DataInspectionFailed", "message": "boom"}, "content_filter", "boom"),
        ({"detail": "boom"}, "unavailable", "boom"),
        ({"base_resp": {"status_code": 1008, "status_msg": "boom"}, "choices": None}, "billing", "boom"),
        ({"x_groq": {"error": "boom"}}, "unavailable", "boom"),
        ({"choices": [{"delta": {}, "error": {"code": 504, "message": "boom"}}]}, "timeout", "boom"),
        (
            {"error": {"message": "Told off", "code": 429, "metadata": {"raw": "boom"}}},
            "rate_limit",
            "Told off: boom",
        ),
        ({"error": {"message": "boom", "type": "server_error"}}, "unavailable", "boom"),
        ({"error": {"message": "boom", "type": "invalid_request_error"}}, "bad_request", "boom"),
    ],
)
def test_an_error_in_a_stream_keeps_the_text_and_ends_it(
    read_payloads, payload: object, code: str, message: str
):
    got = read_payloads(TEXT, payload, TEXT, "[DONE]")
    assert (got.events, got.fault) == ([TextDelta("Once")], (f"provider.{code}", message))


@pytest.mark.parametrize(
    "lines",
    [
        b'event: error\ndata: {"message":"boom"}\n\n',
        b"event: error\ndata: boom\n\n",
        b"event: error\ndata: boom",
        b'event: error\ndata: {"error":{"message":"boom"}}\n\n',
        b'data: {"message":"boom"}\nevent: error\n\n',
        b'error: {"message":"boom"}\n\n',
        b"error: boom\n\n",
        b'{"error":{"message":"boom"}}\n',
        b'data: {"choices":[{"delta":{"cont\ndata: {"error":{"message":"boom"}}\n\n',
    ],
)
def test_a_stream_may_name_its_error_in_many_ways(read, lines: bytes):
    got = read(b"data: " + orjson.dumps(TEXT) + b"\n\n" + lines)
    assert (got.text, got.fault) == ("Once", ("provider.unavailable", "boom"))


@pytest.mark.parametrize("nothing", [None, {}, "", False, [], {"message": None, "code": 0}])
def test_an_empty_error_is_no_error(read_payloads, nothing: object):
    got = read_payloads({**TEXT, "error": nothing}, {"error": nothing}, "[DONE]")
    assert (got.text, got.ending.outcome) == ("Once", "finished")


@pytest.mark.parametrize(
    "payload", [{"code": 200, "message": "fine"}, {"base_resp": {"status_code": 0, "status_msg": ""}}]
)
def test_news_of_success_is_no_error(read_payloads, payload: object):
    assert read_payloads(TEXT, payload, "[DONE]").ending.outcome == "finished"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, {"error": {"message": "who?"}}, "auth"),
        (403, {"detail": "no"}, "auth"),
        (403, {"message": "余额不足"}, "billing"),
        (403, {"error": {"message": "your input was flagged"}}, "content_filter"),
        (400, {"error": {"message": "API key not valid.", "status": "INVALID_ARGUMENT"}}, "bad_request"),
        (400, {"error": {"message": "API key not valid."}}, "auth"),
        (402, {"error": {"message": "pay"}}, "billing"),
        (429, {"error": {"code": "1113", "message": "账户已欠费"}}, "billing"),
        (429, {"error": {"code": "1302", "message": "并发"}}, "rate_limit"),
        (429, {"error": {"type": "insufficient_quota"}}, "billing"),
        (429, {"error": {"type": "engine_overloaded_error", "message": "busy"}}, "unavailable"),
        (429, {"code": "Throttling.RateQuota", "message": "busy"}, "rate_limit"),
        (429, "too fast", "rate_limit"),
        (400, {"error": {"code": "context_length_exceeded"}}, "context_too_long"),
        (400, {"error": {"message": "This model's maximum context length is 9 tokens"}}, "context_too_long"),
        (400, {"error": {"type": "exceed_context_size_error", "message": "n"}}, "context_too_long"),
        (413, b"", "context_too_long"),
        (500, {"error": {"message": "input is longer than the context size"}}, "context_too_long"),
        (400, {"error": {"code": "1301", "message": "no"}}, "content_filter"),
        (400, {"contentFilter": [{"level": 0}], "error": {"message": "no"}}, "content_filter"),
        (404, {"error": {"message": 'model "x" not found'}}, "model_unknown"),
        (400, {"error": {"message": "Model Not Exist"}}, "model_unknown"),
        (400, {"error": {"code": "1211", "message": "模型不存在"}}, "model_unknown"),
        (404, b"<h1>Not here</h1>", "bad_request"),
        (400, {"error": "odd"}, "bad_request"),
        (422, {"detail": [{"loc": ["body", "tools"], "msg": "extra"}]}, "bad_request"),
        (418, b"", "bad_request"),
        (408, b"", "timeout"),
        (504, b"", "timeout"),
        (500, {"error": {"message": "model not found in the cache"}}, "unavailable"),
        (503, b"later", "unavailable"),
        (529, {"type": "error", "error": {"type": "overloaded_error"}}, "unavailable"),
        (302, b"", "protocol"),
        (400, b'data: {"error":{"code":"insufficient_quota"}}\n\n', "billing"),
        (400, [{"error": {"message": "x", "status": "RESOURCE_EXHAUSTED"}}], "rate_limit"),
        (400, b'{"error":{"message":"cut o', "bad_request"),
    ],
)
def test_an_http_error_has_one_code(read, status: int, body: object, code: str):
    got = read(body if isinstance(body, bytes) else orjson.dumps(body), status=status)
    assert got.fault is not None
    assert got.fault[0] == f"provider.{code}"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "HTTP 502 Bad Gateway"),
        (b"<html><style>b{}</style><b>tea &amp; cake</b> <!-- x --></html>", "tea & cake"),
        (b"  plain\n words ", "plain words"),
        (b'{"detail":[{"loc":["body","n"],"msg":"too big"},{"msg":"odd"}]}', "body.n: too big; odd"),
        (b'{"error":{"message":"a\\u0000b\\ud800"}}', "a\ufffdb\ufffd"),
        (b'{"what":1}', '{"what":1}'),
    ],
)
def test_the_message_is_in_the_providers_words(read, body: bytes, message: str):
    got = read(body, status=502)
    assert got.fault == ("provider.unavailable", message)


@pytest.mark.parametrize(
    "message",
    [
        "no account for my.secret-key here",
        "Bearer my.secret-key",
        "<p>my.secret-key</p>",
        "x" * 2040 + "my.secret-key",
        "key sk-abcdefgh12345678 and AIzaSyA1234567890123456789012345",
        "0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp",
    ],
)
def test_keys_are_removed(read, message: str):
    got = read(orjson.dumps({"error": message}), status=400, secrets=["my.secret-key", ""])
    assert got.fault is not None
    assert not any(part in got.fault[1] for part in ("secret", "abcdefgh", "AIzaSyA", "AbCdEf", "my."))


@pytest.mark.parametrize("letter", ["x", "é", "语", "🚀"])
def test_the_message_is_at_most_2_kb(read, letter: str):
    got = read(orjson.dumps({"error": letter * 3000}), status=400)
    assert got.fault is not None
    assert (2040 < len(got.fault[1].encode()) <= 2048, got.fault[1][-1]) == (True, "…")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_in_seconds(read, headers: dict[str, str], seconds: float | None):
    error = read(b"", status=429, headers=headers, now=lambda: 40.0).ending.error
    assert (error and error.status, error and error.retry_after) == (429, seconds)


@pytest.mark.parametrize(
    ("code", "retryable"),
    [
        ("provider.rate_limit", True),
        ("provider.unavailable", True),
        ("provider.timeout", True),
        ("provider.auth", False),
        ("provider.billing", False),
        ("provider.protocol", False),
    ],
)
def test_only_what_may_pass_is_retryable(code, retryable: bool):
    assert ProviderError(code, "x").retryable is retryable


def test_a_huge_error_page_is_read_in_part(read_apart):
    got = read_apart([b"word " * 9999] * 50, status=500, content_type="text/plain")
    assert got.ending.outcome == "failed"
