"""Rates are counted together by all processes that share a Redis."""

from tests.stand_ins.server import LiveServer, MakeServer


def pairs(server: LiveServer) -> int:
    return server.post("/api/pairing/", {"code": "guessed", "code_verifier": "x"}, token="").status


def test_what_came_to_one_process_counts_in_another(new_server: MakeServer, redis_url: str) -> None:
    one, other = (new_server(REDIS_URL=redis_url, ASKWEB_PAIRING_RATE="3/hour") for _ in range(2))
    one.start()
    other.start()
    assert 429 in [pairs(one) for _ in range(4)]
    assert pairs(other) == 429
