"""What deploy/ says is true of the product: its commands, its variables, its waits and its limits."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from askweb.runs.shutting_down import DRAIN_SECONDS
from askweb.runs.supervising import LAST_SECONDS
from tests.required import PROJECT

DEPLOY = PROJECT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
OPERATIONS = (PROJECT / "docs" / "operations.md").read_text()
CONFIGURATION = (PROJECT / "docs" / "configuration.md").read_text()
SERVICES: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
OURS = {name: each for name, each in SERVICES.items() if each["image"] == "askweb"}
IMAGE = [line[1:] for line in (PROJECT / ".dockerignore").read_text().splitlines() if line.startswith("!")]


def commands() -> Iterator[str]:
    yield from re.findall(r"manage\.py ([a-z_]+)", DOCKERFILE + OPERATIONS)
    yield json.loads(DOCKERFILE.rpartition("CMD ")[2])[2]
    yield from (each["command"][2] for each in OURS.values())


def variables() -> Iterator[str]:
    yield from re.findall(r"\b(?:ASKWEB_[A-Z_]+|DATABASE_URL|REDIS_URL)\b", DOCKERFILE + NGINX + OPERATIONS)
    yield from (name for each in OURS.values() for name in each["environment"])


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_its_commands_exist(command: str) -> None:
    assert command in get_commands()


@pytest.mark.parametrize("variable", sorted(set(variables())))
def test_its_variables_are_documented(variable: str) -> None:
    assert f"`{variable}`" in CONFIGURATION


def test_everybody_waits_for_the_tables() -> None:
    waiting = {name for name, each in OURS.items() if "migrate" in each["depends_on"]}
    assert waiting == {"web-1", "web-2", "worker-1", "worker-2"}
    assert SERVICES["migrate"]["restart"] == "no"


def test_replies_may_be_finished_before_a_process_is_killed() -> None:
    periods = {int(each["stop_grace_period"].removesuffix("s")) for each in OURS.values()}
    assert min(periods) > DRAIN_SECONDS + LAST_SECONDS


def test_nobody_is_root_and_nothing_but_what_is_pinned_is_installed() -> None:
    assert re.findall(r"^USER (.+)", DOCKERFILE, re.MULTILINE) == ["askweb"]
    assert re.findall(r"pip install (.+)", DOCKERFILE) == ["-r requirements.txt"]
    lines = [line for line in (PROJECT / "requirements.txt").read_text().splitlines() if line[:1] != "#"]
    assert all("==" in line for line in lines)


def test_the_image_has_what_the_server_needs_and_no_data() -> None:
    assert [name for name in IMAGE if not (PROJECT / name).exists()] == []
    ours = {app.partition(".")[0] for app in settings.INSTALLED_APPS}
    assert {name for name in ours if (PROJECT / name).is_dir()} <= set(IMAGE)
    assert not {"var", ".git", "deploy"} & set(IMAGE)


def test_the_health_check_is_a_program() -> None:
    command = json.loads(re.findall(r"HEALTHCHECK .*\\\n\s+CMD (.+)", DOCKERFILE)[0])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "HEALTHCHECK", "exec")


def test_nginx_leaves_limits_to_askweb() -> None:
    (size,) = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    assert int(size) * 2**20 > settings.ASKWEB_BODY_LIMIT
    assert f"proxy_read_timeout {settings.ASKWEB_PROVIDER_TIMEOUTS['total']:.0f}s;" in NGINX
    assert SERVICES["web-1"]["environment"]["ASKWEB_PROXIES"] == "1"


def test_nginx_understands_its_file(tmp_path: Path) -> None:
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin") or pytest.skip("nginx: not installed")
    told = subprocess.run([nginx, "-t", "-c", DEPLOY / "nginx.conf"], capture_output=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)[^)]*\)", OPERATIONS))))
def test_what_the_page_links_to_is_there(link: str) -> None:
    assert link.startswith("https://") or (PROJECT / "docs" / link).exists()
