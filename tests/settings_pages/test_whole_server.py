"""Deleting and exporting everything on a whole server, while an answer is being written."""

import io
import json
from zipfile import ZipFile

import pytest

from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, MakeServer
from tests.stand_ins.upstream import Upstream
from tests.waiting import until

KEPT = ("auth_", "django_", "prompts_templateversion", "prompts_tool", "prompts_snippet", "sqlite_")
"""Tables of the product and not of the person."""
BOOKKEEPING = ("conversations_search_config", "conversations_search_data")
"""FTS5 has its own rows in an empty index, too."""


@pytest.fixture
def server(new_server: MakeServer) -> LiveServer:
    """Its own, since nothing of its person is left."""
    server = new_server()
    server.start()
    return server


def test_an_export_is_sent_whole_while_it_is_made(live: LiveServer, upstream: Upstream) -> None:
    asked = live.ask(live.add_provider(upstream), "x" * 200_000)
    live.ended(asked.run)
    with ZipFile(io.BytesIO(live.get("/api/export/").body)) as archive:
        assert archive.testzip() is None
        name = next(name for name in archive.namelist() if name.endswith(f"{asked.conversation[-6:]}.json"))
        assert len(json.loads(archive.read(name))["messages"][0]["content"]) == 200_000


def test_nothing_is_left_in_any_table(server: LiveServer, upstream: Upstream) -> None:
    provider = server.add_provider(upstream)
    upstream.will_send(sse.chunk("Being written"), upstream.gate())
    asked = server.ask(provider)
    until("it is being written", lambda: server.run(asked.run)["state"] == "streaming")
    answer = server.post("/api/delete-everything/", {"confirm": "owner"})
    assert answer.json["devices"] == 1
    rows = server.count_rows().items()
    left = {name: count for name, count in rows if count and not name.startswith((*KEPT, *BOOKKEEPING))}
    assert left.pop("audit_auditentry") > 0  # who did what, and never to what texts
    # The local provider, which is everybody's; and that there was a run today, so that the limit of a day holds.
    assert left == {"accounts_user": 1, "providers_provider": 1, "runs_dayofruns": 1}
