"""A small disk of a test's own, in memory, which it may fill up or make read-only."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """Mounted at `folder`, with so many megabytes."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        self._junk = folder / "junk"
        options = f"size={megabytes}m,mode=700"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode != 0:
            pytest.skip("disk: this user can't mount one")

    def fill(self) -> None:
        """Leave no byte."""
        with self._junk.open("ab", buffering=0) as file:
            for size in (1024 * 1024, 4096):
                try:
                    while True:
                        file.write(os.urandom(1) * size)
                except OSError:
                    continue

    def make_room(self) -> None:
        self._junk.unlink(missing_ok=True)

    def make_read_only(self) -> None:
        """While nothing on it is open."""
        subprocess.run(["mount", "-o", "remount,ro", self.folder], check=True)

    def unmount(self) -> None:
        subprocess.run(["umount", "--lazy", self.folder], check=True)


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Disk]:
    disk = Disk(folder, megabytes)
    try:
        yield disk
    finally:
        disk.unmount()
