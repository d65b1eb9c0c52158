"""The real child with the real weights; skipped where they are not installed."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from askweb.providers.errors import ProviderError
from askweb.providers.local.choosing import LocalModel, NoLocalModel, local_model
from askweb.providers.local.starting import PROJECT, LocalAddress
from askweb.providers.local.supervising import LocalServer

MODEL = local_model()

pytestmark = pytest.mark.skipif(isinstance(MODEL, NoLocalModel), reason="local: the model is not installed")


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    server = LocalServer(MODEL)
    yield server
    await server.stop()


async def ask(address: LocalAddress, *, key: str | None = None) -> tuple[int, str]:
    """The status and the whole streamed body of a short chat completion."""
    body = {
        "model": address.model,
        "messages": [{"role": "user", "content": "Is the sky blue?"}],
        "stream": True,
        "grammar": 'root ::= "Yes, it is."',
    }
    headers = {"Authorization": f"Bearer {key or address.api_key}"}
    async with (
        aiohttp.ClientSession(base_url=address.base_url + "/", headers=headers) as session,
        session.post("chat/completions", json=body) as response,
    ):
        return response.status, await response.text()


def text_of(stream: str) -> str:
    payloads = [json.loads(line[6:]) for line in stream.split("\n\n") if line.startswith("data: {")]
    deltas = [choice["delta"] for payload in payloads for choice in payload["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


async def test_the_first_use_starts_it_and_it_streams_a_completion(server: LocalServer) -> None:
    async with server.address() as address:
        status, stream = await ask(address)
    assert (status, text_of(stream)) == (200, "Yes, it is.")
    assert stream.endswith("data: [DONE]\n\n")


async def test_it_refuses_a_wrong_key(server: LocalServer) -> None:
    async with server.address() as address:
        status, _ = await ask(address, key="wrong")
    assert status == 401


async def test_it_listens_on_the_loopback_address(server: LocalServer) -> None:
    async with server.address() as address:
        assert address.base_url.startswith("http://127.0.0.1:")


async def test_users_who_come_together_share_one_start(server: LocalServer) -> None:
    first, second = await asyncio.gather(address_of(server), address_of(server))
    assert first == second


async def test_it_starts_again_after_a_crash(server: LocalServer) -> None:
    before = await address_of(server)
    os.kill(pid_of(server), signal.SIGKILL)
    await server.stopped()
    async with server.address() as address:
        assert address.api_key != before.api_key
        assert (await ask(address))[0] == 200


async def test_it_stops_when_nobody_uses_it() -> None:
    server = LocalServer(MODEL, idle_seconds=0)
    await address_of(server)
    await asyncio.wait_for(server.stopped(), timeout=10)
    assert server.pid is None


async def test_it_does_not_stop_while_somebody_uses_it(server: LocalServer) -> None:
    server.idle_seconds = 0
    async with server.address() as address:
        await address_of(server)
        assert (await ask(address))[0] == 200


async def test_a_stopped_one_starts_with_the_next_use(server: LocalServer) -> None:
    before = await address_of(server)
    await server.stop()
    assert await address_of(server) != before


async def test_its_key_is_not_in_the_process_list(server: LocalServer) -> None:
    async with server.address() as address:
        shown = shown_of(pid_of(server))
    assert "askweb.providers.local.serving" in shown
    assert address.api_key not in shown


async def test_a_file_that_is_no_model_is_told_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "page.gguf").write_text("<html>")
    server = LocalServer(LocalModel(tmp_path / "page.gguf", "page"))
    message = f"The local model could not be started: llama.cpp cannot load {tmp_path}/page.gguf."
    with pytest.raises(ProviderError, match="cannot load") as raised:
        await address_of(server)
    assert (raised.value.code, raised.value.message) == ("provider.unavailable", message)


async def test_a_start_that_takes_too_long_is_given_up(server: LocalServer) -> None:
    server.start_seconds = 0.001
    with pytest.raises(ProviderError) as raised:
        await address_of(server)
    assert raised.value.message == "The local model did not start within 0.001 seconds."


async def test_no_model_is_told_by_the_reason() -> None:
    with pytest.raises(ProviderError) as raised:
        await address_of(LocalServer(local_model("off")))
    assert raised.value.message == "The local model is switched off by ASKWEB_LOCAL_MODEL=off."


PARENT = """
import asyncio
from askweb.providers.local.choosing import local_model
from askweb.providers.local.supervising import LocalServer

async def main():
    server = LocalServer(local_model())
    async with server.address():
        print(server.pid, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_a_killed_parent_leaves_no_child() -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, cwd=PROJECT, stdout=PIPE)
    assert parent.stdout is not None
    child = os.pidfd_open(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()
    await asyncio.wait_for(ended(child), timeout=10)


async def test_the_child_does_not_import_django() -> None:
    code = "import askweb.providers.local.serving, sys; sys.exit('django' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, cwd=PROJECT)
    assert await process.wait() == 0


async def address_of(server: LocalServer) -> LocalAddress:
    async with server.address() as address:
        return address


def pid_of(server: LocalServer) -> int:
    assert server.pid is not None
    return server.pid


def shown_of(pid: int) -> str:
    return "".join(Path(f"/proc/{pid}/{file}").read_text() for file in ("cmdline", "environ"))


async def ended(pidfd: int) -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(pidfd, over.set)
    await over.wait()
    asyncio.get_running_loop().remove_reader(pidfd)
    os.close(pidfd)
