"""What the Chrome extension has of the Control UI: copies under extension/shared/, and the zip that people load.

    .venv/bin/python scripts/extension.py          writes the copies anew, then var/extension/askweb-extension.zip

An extension may load nothing from elsewhere and has no import map, so bare names become addresses of its own.
"""

import os
import sys
from pathlib import Path

import django

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")


def main() -> None:
    django.setup()
    from askweb.extension_files import write_copies, write_zip

    for path in write_copies():
        print(f"renewed {path.relative_to(PROJECT)}")
    target = PROJECT / "var" / "extension" / "askweb-extension.zip"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_zip(file)
    print(f"made {target.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
