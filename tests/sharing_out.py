"""How tests are shared out among processes (`--dist loadgroup --no-loadscope-reorder`): a file to each in turn.

All that runs the local model is one piece, and the first: two models at once, each with a thread for every core,
wait for each other for most of the time.
"""

import pytest

MODEL = "local model"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        group = MODEL if runs_the_model(item) else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: not runs_the_model(item))


def runs_the_model(item: pytest.Item) -> bool:
    return "installed_model" in getattr(item, "fixturenames", ()) or item.path.stem == "test_supervising"
