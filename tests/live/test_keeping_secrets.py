"""A provider's key, a token and a page's text: told to nobody, and in no log, whatever goes wrong."""

import pytest

from tests.stand_ins.server import Asked, LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

pytestmark = pytest.mark.once

KEY = "sk-live-4f6f1c0d9e8b7a6f5e4d"
HEADER = "header-9b7c1e5a2d"
PAGE = "A page that only its reader may know: quince-marmalade-77"


@pytest.fixture(scope="module")
def server(new_server: MakeServer) -> LiveServer:
    server = new_server(ASKWEB_LOG_LEVEL="DEBUG", ASKWEB_CONNECT_TIMEOUT="0.5")
    server.start()
    return server


def answers_of(server: LiveServer, run: str, conversation: str, message: str) -> bytes:
    paths = (
        f"/api/runs/{run}/",
        f"/api/conversations/{conversation}/messages/",
        f"/api/messages/{message}/assembly/",
        f"/api/conversations/{conversation}/export.json",
        "/api/settings/",
    )
    return b"".join(server.get(path).body for path in paths)


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_that_a_provider_repeats_is_told_to_nobody(
    server: LiveServer, upstream: Upstream, status: int
) -> None:
    provider = server.add_provider(upstream, api_key=KEY, headers={"X-Secret": HEADER})
    repeated = f"Incorrect API key: {KEY}, Bearer {KEY}, {HEADER}".encode()
    for _attempt in range(5):
        upstream.will_send(repeated, status=status, headers={"retry-after-ms": "1"})
    words = {"role": "user", "content": "Hi"}
    context = [{"id": "page", "content": PAGE}]
    body = {"meta": {"provider": provider}, "context": context, "messages": [words]}
    asked = Asked.by(server.post("/api/conversations/", body))
    server.ended(asked.run)
    told = answers_of(server, asked.run, asked.conversation, asked.message).decode(errors="replace")
    assert KEY not in told
    assert HEADER not in told
    assert KEY not in server.get("/api/providers/").body.decode()
    assert KEY not in server.log
    assert HEADER not in server.log
    assert server.token not in server.log
    assert "quince" not in server.log


def test_what_breaks_leaves_no_page_in_the_log(server: LiveServer, upstream: Upstream) -> None:
    provider = server.add_provider(upstream, api_key=KEY)
    asked = server.ask(provider, f"{PAGE} {{{{{{broken", tool="ask")
    server.ended(asked.run)
    server.request("POST", "/api/conversations/", PAGE.encode())
    server.request(
        "POST", "/api/images/", PAGE.encode(), **{"Content-Type": "multipart/form-data; boundary=x"}
    )
    until("the log has ended its lines", lambda: server.log.endswith("\n"))
    assert "quince" not in server.log
