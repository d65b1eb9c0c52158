"""What a test may need of the machine, and ASKWEB_REQUIRE: the names whose absence is no excuse.

A test that needs something which is missing is skipped with a reason that begins with its name. Where
ASKWEB_REQUIRE holds that name, the test fails instead.
"""

import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest

from askweb.providers.local.choosing import LocalModel, local_model

NAMES = frozenset(("postgresql", "redis", "chromium", "cases", "local", "gettext"))
PROJECT = Path(__file__).resolve().parent.parent

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def pytest_configure() -> None:
    if unknown := required() - NAMES:
        raise pytest.UsageError(f"ASKWEB_REQUIRE knows {sorted(NAMES)}, not {sorted(unknown)}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return without_excuse((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return without_excuse((yield))


def without_excuse(report: Report) -> Report:
    """Turn a skip for want of a required thing into a failure."""
    if report.outcome == "skipped" and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if reason.partition(":")[0] in required():
            report.outcome = "failed"
            report.longrepr = f"{reason}, and ASKWEB_REQUIRE names it"
    return report


def required() -> frozenset[str]:
    return frozenset(os.environ.get("ASKWEB_REQUIRE", "").split())


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of inputs with right answers."""
    folder = Path(os.environ.get("ASKWEB_CASES") or PROJECT.parent / "shared" / "cases")
    return folder if folder.is_dir() else pytest.skip("cases: ASKWEB_CASES names no folder")


@pytest.fixture(scope="session")
def redis_url() -> str:
    return os.environ.get("REDIS_URL") or pytest.skip("redis: REDIS_URL is not set")


@pytest.fixture(scope="session")
def postgresql() -> str:
    """The address of the PostgreSQL that the tests run on."""
    address = os.environ.get("DATABASE_URL", "")
    return address if address.startswith("postgres") else pytest.skip("postgresql: DATABASE_URL names none")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Chromium without a window of its own, where it is installed: it needs half the processor time."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    return found or pytest.skip("chromium: not installed")


@pytest.fixture(scope="session")
def installed_model() -> LocalModel:
    """The small local model that comes with the install."""
    model = local_model()
    return model if isinstance(model, LocalModel) else pytest.skip("local: the model is not installed")
