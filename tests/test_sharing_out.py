"""Several processes run the tests of a file in one of them, and what runs the local model in one, too."""

import subprocess
import sys
from pathlib import Path

from tests.required import PROJECT

NAMES = ("test_a", "test_b", "one/test_local_model", "two/test_local_model", "test_supervising")
TESTS = """
import os, pytest

@pytest.mark.parametrize("number", range(5))
def test_who(number):
    with open({log!r}, "a") as log:
        print({name!r}, os.environ["PYTEST_XDIST_WORKER"], file=log)
"""


def test_files_stay_together(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for name in NAMES:
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(TESTS.format(name=name, log=str(log)))
    order = [
        "-n",
        "2",
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        "-p",
        "tests.sharing_out",
        "-p",
        "no:django",
    ]
    order += ["-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", str(tmp_path), str(tmp_path)]
    environment = {"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *order],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"25 passed" in done.stdout, done.stdout
    workers = {
        name: {line.split()[1] for line in log.read_text().splitlines() if line.startswith(name)}
        for name in NAMES
    }
    assert [len(each) for each in workers.values()] == [1] * len(NAMES)
    assert len({frozenset(workers[name]) for name in NAMES[2:]}) == 1
