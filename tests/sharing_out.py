"""How tests are shared out among processes (`-n 3 --dist loadfile --no-loadscope-reorder`): file by file, in order.

All that runs the local model is one piece, and the first: two models at once, each with a thread for every core,
wait for each other for most of the time. What waits for leases comes next, so that the end doesn't wait for it.
"""

from pathlib import PurePosixPath
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

MODEL = "local model"
RUNS_THE_MODEL = frozenset(("test_local_model", "test_supervising"))


class Pieces(LoadFileScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return MODEL if PurePosixPath(file).stem in RUNS_THE_MODEL else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Pieces | None:
    return Pieces(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(trylast=True)  # pytest-django has its own order, which is kept below this
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (item.path.stem not in RUNS_THE_MODEL, item.path.stem != "test_chaos"))
