"""Makes .venv and installs what AskWeb needs: `python3 scripts/install.py [dev] [--again]`.

Does nothing when that is done already. This file must also run on Python 2.7 and 3.0 to 3.10, only to say in
one sentence that they are too old, or to go on with a newer one; the work is in setting_up.py.
"""
# ruff: noqa: UP031, UP036, RUF005, S603, S606

import os
import subprocess
import sys

OTHERS = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"]
NEW_ENOUGH = "import sys; sys.exit(sys.version_info < (3, 11))"


def main():
    if sys.version_info >= (3, 11):
        import setting_up

        setting_up.main(sys.argv[1:])
    elif os.environ.get("PYTHON") or not go_on_with_another():
        sys.exit(
            "AskWeb needs Python 3.11 or newer and %s is %s: install a newer one, or name it as in "
            "`make run PYTHON=/path/to/python3.12`." % (sys.executable, sys.version.split()[0])
        )


def go_on_with_another():
    for python in OTHERS:
        if is_new_enough(python):
            os.execvp(python, [python] + sys.argv)
    return False


def is_new_enough(python):
    with open(os.devnull, "w") as nowhere:
        try:
            return subprocess.call([python, "-c", NEW_ENOUGH], stdout=nowhere, stderr=nowhere) == 0
        except OSError:
            return False


if __name__ == "__main__":
    main()
