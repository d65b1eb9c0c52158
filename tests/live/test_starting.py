"""Starting the server: it works at once, or says in one sentence why it doesn't."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.live.follower import Follower
from tests.stand_ins.server import LiveServer, MakeServer, free_port
from tests.stand_ins.upstream import Upstream


@pytest.mark.sqlite
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="PostgreSQL may serve more than one process")
def test_a_second_server_on_the_same_data_folder_is_refused_in_one_sentence(live: LiveServer) -> None:
    result = live.try_manage("up", PORT=str(free_port()))
    assert result.returncode == 1
    assert result.stderr == (
        f"CommandError: The data folder {live.folder} is in use by process {live.running.pid} at {live.url}. "
        "Stop that server, or set ASKWEB_DATA to another folder.\n"
    )


@pytest.mark.sqlite
def test_an_empty_folder_is_all_that_it_needs(new_server: MakeServer, upstream: Upstream) -> None:
    server = new_server()
    (server.folder / "db.sqlite3").unlink()
    server.start()
    asked = server.ask(server.add_provider(upstream))
    assert server.ended(asked.run)["state"] == "completed"
    server.terminate()


@pytest.mark.sqlite
def test_a_data_folder_that_cannot_be_written_is_told_in_one_sentence(new_server: MakeServer) -> None:
    server = new_server()
    (server.folder / "lock").mkdir()
    refused = server.try_manage("up")
    assert refused.returncode == 1
    assert f"CommandError: Can't write to the data folder {server.folder}: Is a directory." in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_taken_port_is_told_in_one_sentence(live: LiveServer, new_server: MakeServer) -> None:
    result = new_server().try_manage("up", PORT=str(live.port))
    assert result.returncode == 1
    assert result.stderr == (
        f"CommandError: Can't listen on 127.0.0.1:{live.port}: another program uses it. "
        "Stop that one, or choose another: PORT=8001 make run\n"
    )


def test_the_sign_in_link_opens_a_session(session_cookie: str) -> None:
    assert session_cookie


def test_plain_daphne_serves_after_migrate(new_server: MakeServer, upstream: Upstream) -> None:
    server = new_server()
    server.manage("migrate")
    daphne = ("-m", "daphne", "-b", "127.0.0.1", "-p", str(server.port), "askweb.asgi:application")
    server.start(daphne)
    asked = server.ask(server.add_provider(upstream))
    with server.socket() as socket:
        follower = Follower(socket, asked.conversation)
        follower.until_ended(asked.run)
    assert follower.text(asked.reply) == server.message(asked.reply)["content"] == "Fine."
    assert server.terminate() == 0


def test_the_log_of_daphne_itself_has_no_tokens(new_server: MakeServer) -> None:
    server = new_server()
    server.manage("migrate")
    server.start(("-m", "daphne", "-b", "127.0.0.1", "-p", str(server.port), "askweb.asgi:application"))
    link = urlsplit(server.sign_in_link()).path
    assert [server.request("GET", link, token="").status for _twice in range(2)] == [302, 410]
    with server.socket():
        pass
    server.terminate()
    assert server.log.count("/sign-in/…/") == 3  # daphne's two lines, and Django's of the 410
    assert link not in server.log
    assert "ticket=" not in server.log.replace("ticket=…", "")


def test_its_threads_share_one_arena(live: LiveServer, parrot: str) -> None:
    live.ended(live.ask(parrot).run)
    assert arenas_of_threads(live.running.pid) == []


def arenas_of_threads(pid: int) -> list[str]:
    """Where glibc's malloc has given threads memory of their own: mappings that begin at multiples of 64 MB."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return [line for line in lines if " rw-p " in line and int(line.split("-")[0], 16) % (64 << 20) == 0]
