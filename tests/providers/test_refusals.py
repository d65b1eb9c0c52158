"""What a provider's complaint asks for: which part of the request to leave out, and when to leave it alone."""

import pytest

from askweb.providers.adapting import MOST_DOWNGRADES, Request
from askweb.providers.capabilities import Capabilities
from askweb.providers.errors import ProviderError

SYSTEM = {"role": "system", "content": "Be kind."}
USER = {"role": "user", "content": "Hi"}
CALLING = {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "look"}}]}
RESULT = {"role": "tool", "content": "seen", "tool_call_id": "1"}
MESSAGES = [SYSTEM, USER, CALLING, RESULT, USER, USER]
OPTIONS = {"max_tokens": 9, "temperature": 0.5, "top_p": 1, "tools": [{"type": "function"}]}


def complaint(words: str, status: int = 400) -> ProviderError:
    code = "provider.unavailable" if status == 500 else "provider.bad_request"
    return ProviderError(code, words, status=status)


def request(**capabilities: object) -> Request:
    return Request("m", MESSAGES, OPTIONS, Capabilities().with_layer(capabilities))


@pytest.mark.parametrize(
    ("words", "learned"),
    [
        # OpenAI
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
            "instead.",
            {"token_limit": "max_completion_tokens"},
        ),
        (
            "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value "
            "is supported.",
            {"refuses": ["temperature"]},
        ),
        ("Unsupported parameter: 'top_p' is not supported with this model.", {"refuses": ["top_p"]}),
        (
            "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
            {"system_role": False},
        ),
        ("Unrecognized request argument supplied: stream_options", {"refuses": ["stream_options"]}),
        # vLLM
        ("body.stream_options: Extra inputs are not permitted", {"refuses": ["stream_options"]}),
        (
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            {"refuses": ["tools"]},
        ),
        (
            "Conversation roles must alternate user/assistant/user/assistant/...",
            {"roles_alternate": True},
        ),
        (
            "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
            {"roles_alternate": True},
        ),
        # llama.cpp
        ("tools param requires --jinja flag", {"refuses": ["tools"]}),
        ("System role not supported", {"system_role": False}),
        ("Only user and assistant roles are supported!", {"system_role": False}),
        # Ollama
        ("registry.ollama.ai/library/gemma:2b does not support tools", {"refuses": ["tools"]}),
        # Gemini
        (
            'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
            {"refuses": ["stream_options"]},
        ),
        ("Developer instruction is not enabled for models/gemma-3-27b-it", {"system_role": False}),
        # Groq, Mistral, DeepSeek, Moonshot
        ("`tool calling` is not supported with this model", {"refuses": ["tools"]}),
        (
            "deepseek-reasoner does not support successive user or assistant messages in your input",
            {"roles_alternate": True},
        ),
        (
            "Invalid request: the message at position 2 with role 'assistant' must not be empty",
            {"empty_content": False},
        ),
        ("invalid temperature: only 1 is allowed for this model", {"refuses": ["temperature"]}),
        ("messages: text content blocks must be non-empty", {"empty_content": False}),
        # Zhipu
        ("tools 参数非法。请检查文档。", {"refuses": ["tools"]}),
        ("temperature参数非法", {"refuses": ["temperature"]}),
        ("messages 参数非法。请检查文档。", {"empty_content": False}),
        # made up
        ("Please send max_completion_tokens, not max_tokens.", {"token_limit": "max_completion_tokens"}),
        ("temperature can only be 1 here", {"refuses": ["temperature"]}),
        ("this small model has no tools", {"refuses": ["tools"]}),
        ("user and assistant turns have to take turns", {"roles_alternate": True}),
        ("message 2 by the assistant has nothing in it", {"empty_content": False}),
        ("system turns are unknown to this template", {"system_role": False}),
        ("body.stream_options: this field is not allowed", {"refuses": ["stream_options"]}),
    ],
)
def test_what_is_refused_is_left_out(words, learned):
    giving = request()
    before = giving.body()
    assert giving.give_way(complaint(words))
    assert giving.learned == learned
    assert giving.body() != before
    assert giving.fitted.changes


@pytest.mark.parametrize(
    "words",
    [
        "",
        "argument 4 is odd",
        "max_tokens is too large: 100000. This model supports at most 4096 completion tokens",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "temperature must be between 0 and 2, 9 is not supported",
        "frequency_penalty is not supported",
        "response_format is not supported",
        "image input is not supported",
        "call_4 was never answered",
    ],
)
def test_other_complaints_are_for_the_person(words):
    assert not request().give_way(complaint(words))


@pytest.mark.parametrize("code", ["provider.auth", "provider.rate_limit", "provider.context_too_long"])
def test_only_a_bad_request_is_changed(code):
    assert not request().give_way(ProviderError(code, "temperature is not supported", status=400))


def test_a_template_that_fails_on_the_server_is_a_refusal_too():
    assert request().give_way(complaint("Conversation roles must alternate user/assistant", status=500))


def test_where_a_system_message_counts_as_a_turn_it_is_put_before_the_question():
    alternating = Request("m", [SYSTEM, USER], {}, Capabilities())
    assert alternating.give_way(complaint("Conversation roles must alternate user/assistant/..."))
    assert alternating.fitted.messages == [{"role": "user", "content": "Be kind.\n\nHi"}]


def test_a_limit_that_is_refused_under_both_names_is_left_out():
    giving = request()
    for name in ("max_tokens", "max_completion_tokens"):
        assert giving.give_way(complaint(f"{name} is not supported"))
    assert giving.body().keys().isdisjoint(("max_tokens", "max_completion_tokens"))


def test_reasoning_is_sent_back_when_it_is_missed():
    thought = {"role": "assistant", "content": "Hello", "askweb_reasoning": "Hm."}
    giving = Request("m", [USER, thought, USER], {}, Capabilities())
    assert giving.give_way(complaint("send reasoning_content of turn 3 again"))
    assert giving.fitted.messages[1] == {"role": "assistant", "content": "Hello", "reasoning_content": "Hm."}


def test_it_gives_way_three_times_and_no_more():
    giving = request()
    names = ("temperature", "top_p", "stream_options", "tools")
    assert [giving.give_way(complaint(f"{name} is not supported")) for name in names] == [True] * 3 + [False]
    assert giving.learned == {"refuses": ["stream_options", "temperature", "top_p"]}
    assert MOST_DOWNGRADES == 3


def test_what_is_left_out_already_is_not_left_out_again():
    assert not request(refuses=["temperature"]).give_way(complaint("temperature is not supported"))
