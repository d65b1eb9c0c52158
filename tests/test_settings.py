"""Settings are read from the environment, and what makes no sense is refused with its name."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from askweb.extensions import OUR_EXTENSION
from askweb.secrets_file import read_or_make_secret

READ = "from askweb import settings; print({expression})"


def read(expression: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    ours = ("ASKWEB_", "DATABASE_URL", "REDIS_URL", "HOST", "PORT", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "-c", READ.format(expression=expression)],
        env={**kept, "ASKWEB_DATA": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("ASKWEB_DEBUG", "perhaps"),
        ("ASKWEB_BODY_LIMIT", "10"),
        ("ASKWEB_RUNS_AT_ONCE", "0"),
        ("ASKWEB_RUNS_AT_ONCE_PER_PERSON", "0"),
        ("ASKWEB_RUNS_PER_DAY", "many"),
        ("ASKWEB_STORAGE_PER_PERSON", "5 GB"),
        ("ASKWEB_CONNECT_TIMEOUT", "0"),
        ("ASKWEB_LOG_LEVEL", "LOUD"),
        ("ASKWEB_URL", "example"),
        ("DATABASE_URL", "zzz"),
        ("REDIS_URL", "localhost:6379"),
        ("ASKWEB_PROXIES", "-1"),
        ("ASKWEB_AUDIT_DAYS", "0"),
        ("ASKWEB_POSTING_RATE", "120"),
        ("ASKWEB_SIGN_IN_RATE", "0/minute"),
        ("ASKWEB_PAIRING_RATE", "5/minute each"),
    ],
)
def test_nonsense_is_refused_with_its_name(tmp_path: Path, name: str, value: str) -> None:
    result = read("1", tmp_path, **{name: value})
    assert result.returncode != 0
    assert name in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("environment", "expression", "value"),
    [
        (
            {},
            "settings.ASKWEB_URL, settings.DEBUG, settings.ON_SQLITE",
            "http://127.0.0.1:8000 False True",
        ),
        ({"PORT": "9000"}, "settings.ASKWEB_URL", "http://127.0.0.1:9000"),
        (
            {"ASKWEB_URL": "https://a.example/"},
            "settings.ASKWEB_URL, settings.SESSION_COOKIE_SECURE",
            "https://a.example True",
        ),
        ({"ASKWEB_URL": "https://a.example"}, "'a.example' in settings.ALLOWED_HOSTS", "True"),
        ({"DATABASE_URL": "postgres://u@h/d"}, "settings.ON_SQLITE", "False"),
        (
            {"DATABASE_URL": "postgres://u@h/d?sslmode=require"},
            "{name: settings.DATABASES['default']['OPTIONS'][name] for name in ('sslmode', 'pool')}",
            "{'sslmode': 'require', 'pool': {'min_size': 1, 'max_size': 20, 'timeout': 10, 'reconnect_timeout': 5}}",
        ),
        (
            {"DATABASE_URL": "sqlite:////d/db?timeout=1"},
            "[settings.DATABASES['default']['OPTIONS'][name] for name in ('transaction_mode', 'timeout')]",
            "['IMMEDIATE', 1]",
        ),
        ({"ASKWEB_SECRET_KEY": "known"}, "settings.SECRET_KEY", "known"),
        ({}, "settings.ASKWEB_RATES['posting']", "120/minute"),
        ({"ASKWEB_POSTING_RATE": "9/hour"}, "settings.ASKWEB_RATES['posting']", "9/hour"),
        ({"ASKWEB_POSTING_RATE": "off"}, "settings.ASKWEB_RATES['posting']", "None"),
        ({"ASKWEB_EXTENSION_IDS": "a,b"}, "settings.ASKWEB_EXTENSION_IDS", "('a', 'b')"),
        (
            {"ASKWEB_ORIGINS": "https://a.example", "ASKWEB_EXTENSION_IDS": "p"},
            "settings.CORS_ALLOWED_ORIGINS",
            f"['https://a.example', 'chrome-extension://{OUR_EXTENSION}', 'chrome-extension://p']",
        ),
        (
            {"REDIS_URL": "redis://h/0"},
            "settings.CHANNEL_LAYERS['default']['BACKEND'], settings.CACHES['default']['LOCATION']",
            "channels_redis.pubsub.RedisPubSubChannelLayer redis://h/0",
        ),
        (
            {},
            "[each['default']['BACKEND'].rpartition('.')[2] for each in (settings.CHANNEL_LAYERS, settings.CACHES)]",
            "['InMemoryChannelLayer', 'LocMemCache']",
        ),
    ],
)
def test_the_environment_decides(
    tmp_path: Path, environment: dict[str, str], expression: str, value: str
) -> None:
    result = read(expression, tmp_path, **environment)
    assert result.stdout.strip() == value, result.stderr


def test_a_secret_is_made_once_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "secret"
    secret = read_or_make_secret(path)
    assert read_or_make_secret(path) == secret
    assert len(secret) > 50


def test_a_secret_that_can_not_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("askweb.secrets_file.secrets.token_urlsafe", lambda size: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        read_or_make_secret(tmp_path / "secret")
    assert list(tmp_path.iterdir()) == []


def test_a_secret_is_nobody_elses_to_read(tmp_path: Path) -> None:
    read_or_make_secret(tmp_path / "secret")
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["secret"]
