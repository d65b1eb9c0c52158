"""Starts one child that serves the local model, and ends it."""

import asyncio
import json
import secrets
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import aiohttp

import askweb
from askweb.providers.errors import ProviderError
from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.exchange import ServingAnswer, ServingOrder

PROJECT = Path(askweb.__file__).parent.parent
SERVING = "askweb.providers.local.serving"


@dataclass(frozen=True)
class LocalAddress:
    """What an OpenAI-compatible client needs; `base_url` such as `http://127.0.0.1:40123/v1`."""

    base_url: str
    api_key: str
    model: str


@dataclass(frozen=True)
class Child:
    process: Process
    address: LocalAddress

    @property
    def alive(self) -> bool:
        return self.process.returncode is None


async def start(model: LocalModel, *, within: float) -> Child:
    """A child that has loaded the model and answers. Takes at most `within` seconds.

    Raises `ProviderError` with code `provider.unavailable`; no child is left behind then, nor when cancelled.
    """
    process = await _spawn()
    async with AsyncExitStack() as on_failure:
        on_failure.push_async_callback(end, process)
        try:
            async with asyncio.timeout(within):
                address = await _serve(process, model)
        except TimeoutError as error:
            raise unavailable(f"The local model did not start within {within:g} seconds.") from error
        on_failure.pop_all()
    return Child(process, address)


async def end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


def unavailable(message: str) -> ProviderError:
    return ProviderError("provider.unavailable", message)


async def _spawn() -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", SERVING),
            cwd=PROJECT,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is the parent's; the child ends with it
        )
    except OSError as error:
        raise unavailable(f"The local model's process could not be started: {error.strerror}.") from error


async def _serve(process: Process, model: LocalModel) -> LocalAddress:
    order: ServingOrder = {
        "path": str(model.path),
        "name": model.name,
        "api_key": secrets.token_urlsafe(32),
    }
    answer = await _answer_to(order, process)
    if not answer["address"]:
        raise unavailable(f"The local model could not be started: llama.cpp cannot load {model.path}.")
    await _until_healthy(answer["address"])
    return LocalAddress(answer["address"] + "/v1", order["api_key"], model.name)


async def _answer_to(order: ServingOrder, process: Process) -> ServingAnswer:
    assert process.stdin is not None  # noqa: S101 - a pipe was asked for
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(json.dumps(order).encode() + b"\n")
    line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise unavailable(f"The local model's process ended while starting (status {await process.wait()}).")
    answer: ServingAnswer = json.loads(line)
    return answer


async def _until_healthy(address: str) -> None:
    async with aiohttp.ClientSession() as session:
        while not await _healthy(session, address):  # noqa: ASYNC110 - another process's state
            await asyncio.sleep(0.05)


async def _healthy(session: aiohttp.ClientSession, address: str) -> bool:
    try:
        async with session.get(f"{address}/health") as response:
            return response.status == HTTPStatus.OK
    except aiohttp.ClientConnectionError:
        return False
