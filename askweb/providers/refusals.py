"""Recognising in a provider's words which part of a request it refuses.

Seen from OpenAI, Zhipu, DeepSeek, Moonshot, Mistral, Gemini, Groq, vLLM, llama.cpp and Ollama; most give no
code for it, so that the words have to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from askweb.providers.capabilities import Capabilities, Layer
from askweb.providers.errors import ProviderError
from askweb.providers.fitting import TOKEN_LIMITS, has_images, is_empty

DROPPABLE = (
    *TOKEN_LIMITS,
    "temperature",
    "top_p",
    "presence_penalty",
    "frequency_penalty",
    "stream_options",
    "tools",
)

_REFUSAL = re.compile(
    r"unsupported|(not|n't|never|no longer)( be| a)? (support|permit|allow|accept|implement|valid|enabl|possible)"
    r"|unknown|unrecogni[sz]ed|unexpected|extra (input|field)|forbid|cannot find|can ?not be used|no such|invalid"
    r"|deprecated|disabled|requires?\b|\bha(s|ve) no\b|without|\bonly\b|is not one of|\binstead\b|please (send|use)"
    r"|不支持|非法|有误|无效|未知",
    re.I,
)
_WRONG_VALUE = re.compile(  # the parameter is taken, only not with this value
    r"too (large|big|high|small|low|many|long)|at (most|least)|(less|greater|more) than|exceed|between"
    r"|\brange\b|maximum|minimum|[<>]=?\s*\d|上限|超过|范围",
    re.I,
)
_TOOLS = re.compile(
    r"(?<![a-z_])(tools?|functions?)(?![a-z_])|tool[ _-]?(choice|calls?|calling|use)|function[ _-]?call", re.I
)
_TURNS = re.compile(
    r"alternat|take turns|taking turns|successive|consecutive|in a row|same role|expected last role"
    r"|(first|last) message.{0,40}\buser|交替|连续",
    re.I,
)
_SYSTEM = re.compile(r"(?<![a-z])(system|developer)(?![a-z])", re.I)
_ONLY_TWO_ROLES = re.compile(r"only (the )?['\"`]?user['\"`]?(,| and| or).{0,30}assistant", re.I)
_EMPTY = re.compile(
    r"empty|nothing in it|\bblank\b|(no|without|must have|needs?|either) (any )?content"
    r"|content.{0,30}(required|missing|null|must be (a )?string)|不能为空|内容为空|为空",
    re.I,
)
_ILL_FORMED_MESSAGES = re.compile(r"messages.{0,10}(参数)?.{0,4}(非法|有误)|未正常接收到", re.I)
_REASONING = re.compile(r"reasoning(_content|_details)?\b", re.I)
_IMAGES = re.compile(r"image|vision|multi-?modal|content (parts?|list|array)|图片|图像|多模态", re.I)
_WANTED = re.compile(r"again|missing|require|must (be )?(include|sen[dt]|pass|provide|present)|^send\b", re.I)


def refused(error: ProviderError, body: Mapping[str, object], capabilities: Capabilities) -> Iterator[Layer]:
    """What to change about the model's capabilities, the most likely first; nothing when it is no refusal."""
    if error.code != "provider.bad_request" and error.status != 500:
        return
    words = error.message
    yield from _refused_parameter(words, body, capabilities)
    yield from _refused_messages(words, body)


def _refused_parameter(words: str, body: Mapping[str, object], capabilities: Capabilities) -> Iterator[Layer]:
    if not _REFUSAL.search(words) or _WRONG_VALUE.search(words):
        return
    named = [(at, name) for name in DROPPABLE if name in body and (at := _mentioned(name, words)) >= 0]
    for _at, name in sorted(named):
        if name not in TOKEN_LIMITS:
            yield {"refuses": [name]}
        elif capabilities.token_limit:  # the other name was no better
            yield {"refuses": list(TOKEN_LIMITS)}
        else:
            yield {"token_limit": next(other for other in TOKEN_LIMITS if other != name)}


def _mentioned(name: str, words: str) -> int:
    pattern = _TOOLS if name == "tools" else re.compile(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])")
    found = pattern.search(words)
    return found.start() if found else -1


def _refused_messages(words: str, body: Mapping[str, object]) -> Iterator[Layer]:
    messages = body["messages"]
    if not isinstance(messages, Sequence):
        return
    system = any(message.get("role") == "system" for message in messages)
    if _TURNS.search(words):
        yield {"roles_alternate": True}
        if system:  # some templates count the system message as a turn
            yield {"roles_alternate": True, "system_role": False}
    if system and ((_SYSTEM.search(words) and _REFUSAL.search(words)) or _ONLY_TWO_ROLES.search(words)):
        yield {"system_role": False}
    if any(has_images(message) for message in messages) and _IMAGES.search(words) and _REFUSAL.search(words):
        yield {"images": False}
    if any(is_empty(message) for message in messages) and _EMPTY.search(words):
        yield {"empty_content": False}
    if _REASONING.search(words):
        yield {"sends_reasoning": True} if _WANTED.search(words) else {"refuses": ["reasoning_content"]}
    if _ILL_FORMED_MESSAGES.search(words):
        yield {"empty_content": False}
        yield {"roles_alternate": True}
