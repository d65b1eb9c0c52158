"""Two web processes and two workers with a PostgreSQL and a Redis of their own, which a test may restart, and a provider."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.chaos.postgresql import PostgreSQL
from tests.chaos.speaking import Speaker
from tests.stand_ins.lossy_redis import LossyRedis
from tests.stand_ins.several import SeveralProcesses

MakeSpeaker = Callable[[int], tuple[Speaker, str]]


@pytest.fixture(scope="module")
def database() -> Iterator[PostgreSQL]:
    with TemporaryDirectory(
        prefix="askweb-postgresql-"
    ) as folder:  # pytest's own are for nobody but its user
        database = PostgreSQL(Path(folder))
        database.create()
        yield database
        database.stop()


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, database: PostgreSQL, way_to_redis: LossyRedis
) -> Iterator[SeveralProcesses]:
    """Leave two of each running."""
    folder = tmp_path_factory.mktemp("askweb")
    server = SeveralProcesses(
        folder, webs=2, workers=2, database_url=database.url, REDIS_URL=way_to_redis.url
    )
    server.start()
    yield server
    server.close()


@pytest.fixture
def new_speaker(server: SeveralProcesses) -> Iterator[MakeSpeaker]:
    """Makes a provider of so many words, and its slug."""
    speakers: list[Speaker] = []

    def make(words: int) -> tuple[Speaker, str]:
        speakers.append(Speaker(words))
        slug = f"speaker-{speakers[-1].base_url.rpartition(':')[2][:-3]}"
        row = {"slug": slug, "base_url": speakers[-1].base_url, "default_model": "m", "api_key": "sk-test"}
        assert server.post("/api/providers/", row).status == 201
        return speakers[-1], slug

    yield make
    for speaker in speakers:
        speaker.close()
