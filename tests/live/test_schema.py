"""The published schema against the server, by Schemathesis: nothing comes back that it doesn't say."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.stand_ins.server import LiveServer, MakeServer

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
SECONDS = 12
DEVICES = "/api/devices/{id_}/"
"""Left out: to revoke its own token, or all, would be the end of the test."""

pytestmark = pytest.mark.once


@pytest.fixture
def server(new_server: MakeServer) -> LiveServer:
    server = new_server(ASKWEB_CONNECT_TIMEOUT="0.5")
    server.start()
    return server


def test_every_call_answers_as_the_schema_says(server: LiveServer, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(CONFIGURATION),
        "--no-color",
        "run",
    ]
    options = ["--continue-on-failure", "--generation-deterministic", "--warnings", "off"]
    options += ["--max-time", str(SECONDS), "--exclude-path", DEVICES]
    address = [f"{server.url}/api/schema/", "-H", f"Authorization: Bearer {server.token}"]
    result = subprocess.run(
        [*command, *options, *address], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout
    assert "Traceback" not in server.log
