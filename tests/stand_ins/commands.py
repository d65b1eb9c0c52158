"""Management commands of one server, each in a fork of a process that has loaded Django once.

Run as a script with the server's environment, it takes a JSON list of arguments a line, and answers with the exit
code, what was printed and what was complained of.
"""

import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from typing import IO

from tests.required import PROJECT


class Commands:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stand_ins.commands"],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answered is not None
        asked.write(json.dumps(arguments) + "\n")
        asked.flush()
        code, printed, complained = json.loads(answered.readline())
        return subprocess.CompletedProcess(arguments, code, printed, complained)

    def close(self) -> None:
        self._process.communicate()


def serve() -> None:
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "askweb.settings"
    django.setup()
    for line in sys.stdin:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                _run(json.loads(line), out, err)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            print(json.dumps([code, _read(out), _read(err)]), flush=True)


def _run(arguments: list[str], out: IO[bytes], err: IO[bytes]) -> None:
    """In the child, which never returns."""
    from django.core.management import execute_from_command_line

    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    code = 1
    try:
        execute_from_command_line(["manage.py", *arguments])
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


if __name__ == "__main__":
    serve()
