"""Which models a provider has, by its own account."""

import asyncio
from collections.abc import Iterator, Mapping

import aiohttp

from askweb.providers.decoding import decode
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.models import ModelInfo
from askweb.providers.responding import respond
from askweb.providers.wording import Wording, readable

CONNECT = 5.0
WITHIN = 10.0
LONGEST_LIST = 8 * 1024 * 1024
MOST_MODELS = 5000

_NAMES = ("id", "model", "name")
_WINDOWS = ("context_window", "context_length", "max_model_len", "max_context_length", "n_ctx", "n_ctx_train")


async def list_models(session: aiohttp.ClientSession, endpoint: Endpoint) -> list[ModelInfo]:
    """Ask the provider for its models; the order is its own. Raises `ProviderError`.

    The list may be under `data`, as OpenAI has it, under `models`, as Ollama does, or be the whole answer.
    """
    response = await respond(
        session,
        endpoint,
        "GET",
        endpoint.models_url,
        connect=CONNECT,
        within=WITHIN,
        accept="application/json",
    )
    try:
        body = await _read(response)
    finally:
        response.close()
    wording = Wording(endpoint.secrets)
    if response.status >= 400:
        raise wording.of_response(response.status, body, {}, 0)
    listed = decode(body)
    models = None if listed.rest or not listed.values else models_in(listed.values[0])
    if models is None:
        said = readable(body)[:200]
        message = (
            f"{endpoint.host} does not answer with a list of models. Is its address right? It says: {said}"
        )
        raise wording.error("provider.protocol", message)
    return models


def models_in(answer: object) -> list[ModelInfo] | None:
    """The models that an answer lists, each once; None when it is no list of models at all."""
    if isinstance(answer, Mapping):
        lists = (answer.get(name) for name in ("data", "models"))
        answer = next((each for each in lists if isinstance(each, list)), None)
    return list(_models(answer)) if isinstance(answer, list) else None


async def _read(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(WITHIN):
            async for piece in response.content.iter_any():
                body += piece
                if len(body) > LONGEST_LIST:
                    raise ProviderError("provider.protocol", "The list of models is too long.")
    except TimeoutError as error:
        message = f"The list of models was not complete within {WITHIN:g} seconds."
        raise ProviderError("provider.timeout", message) from error
    except aiohttp.ClientError as error:
        raise ProviderError("provider.unavailable", "The list of models broke off.") from error
    return bytes(body)


def _models(items: list[object]) -> Iterator[ModelInfo]:
    seen: set[str] = set()
    for item in items[:MOST_MODELS]:
        fields = {"id": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping):
            continue
        name = next((fields[key] for key in _NAMES if isinstance(fields.get(key), str) and fields[key]), "")
        if name and name not in seen:
            seen.add(name)
            yield _model(name, fields)


def _model(name: str, fields: Mapping[str, object]) -> ModelInfo:
    model = ModelInfo(id=name)
    meta = fields.get("meta")
    known = {**meta, **fields} if isinstance(meta, Mapping) else fields
    for key in _WINDOWS:
        window = known.get(key)
        if isinstance(window, int) and window > 0:
            model["context_window"] = window
            break
    return model
