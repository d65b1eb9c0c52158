"""One server on one SQLite data folder: the lock that says so, and who holds it."""

import fcntl
import os
from typing import TextIO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


class DataFolderInUse(ImproperlyConfigured):
    """Another server runs on this data folder."""


class DataFolderLock:
    """Held from start to end of the process; the kernel lets go of it even after `kill -9`."""

    def __init__(self) -> None:
        self._file: TextIO | None = None

    def take(self) -> None:
        """Raise `DataFolderInUse` when another process holds it. On PostgreSQL leases do this work."""
        if not settings.ON_SQLITE or self._file is not None:
            return
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = (settings.DATA_DIR / "lock").open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            file.close()
            raise DataFolderInUse(
                f"The data folder {settings.DATA_DIR} is in use by {holder}. "
                "Stop that server, or set ASKWEB_DATA to another folder."
            ) from error
        file.truncate(0)
        file.write(f"process {os.getpid()} at {settings.ASKWEB_URL}")
        file.flush()
        self._file = file

    def served_at(self) -> str | None:
        """The address of the server that holds the folder; None while there is none."""
        try:
            with (settings.DATA_DIR / "lock").open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return (settings.DATA_DIR / "lock").read_text().rpartition(" at ")[2] or None
        except OSError:
            return None
        return None

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


folder_lock = DataFolderLock()
