"""On what it was measured."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("Django", "channels", "daphne", "Twisted", "autobahn", "aiohttp", "orjson")


def told() -> str:
    """Two lines: the machine with its load just now, and what it runs."""
    names = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    packages = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    load = f"load average {os.getloadavg()[0]:.1f} before"
    return f"{names[0] if names else platform.machine()} × {os.cpu_count()}, {system}, {load}\n{packages}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()
