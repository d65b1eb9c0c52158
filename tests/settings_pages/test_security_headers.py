"""What browsers are told of our pages, and the import map that must keep working under it."""

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from askweb.import_map import import_map

pytestmark = pytest.mark.django_db

JS = settings.BASE_DIR / "static" / "js"
NONCE = re.compile(r"script-src 'self' 'nonce-([\w-]{22,})'")
IMPORTED = re.compile(r'(?:from|import)\s*\(?\s*"(askweb/[^"]+)"')


def policy(client: Client, path: str) -> str:
    return client.get(path).headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "directive",
    [
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self' ws://testserver wss://testserver",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    ],
)
@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/tools/", "/settings/initial-message/", "/no-such-page/"]
)
def test_every_page_has_the_strict_policy(browser_of: Client, path: str, directive: str) -> None:
    assert directive in policy(browser_of, path).split("; ")


@pytest.mark.parametrize("path", ["/", "/sign-in/", "/admin/", "/admin/prompts/tool/"])
def test_no_page_allows_inline_code(browser_of: Client, path: str) -> None:
    assert "unsafe" not in policy(browser_of, path)


def test_the_import_map_bears_the_nonce_of_the_policy(browser_of: Client) -> None:
    page = browser_of.get("/")
    nonce = NONCE.search(page.headers["Content-Security-Policy"])
    assert nonce
    assert f'<script type="importmap" nonce="{nonce[1]}">' in page.content.decode()


def test_each_page_has_another_nonce(browser_of: Client) -> None:
    assert policy(browser_of, "/") != policy(browser_of, "/")


def test_no_template_holds_inline_styles_or_handlers() -> None:
    inline = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:")
    templates = [*(settings.BASE_DIR / "templates").rglob("*.html")]
    assert [path.name for path in templates if inline.search(path.read_text())] == []


def test_answers_of_the_api_may_do_nothing_at_all(browser_of: Client) -> None:
    assert policy(browser_of, "/api/tools/").startswith(
        "default-src 'none'; base-uri 'none'; form-action 'none'"
    )


def test_the_page_of_the_schema_has_a_policy_of_its_own(client: Client) -> None:
    allowed = policy(client, "/api/schema/browse/").split("; ")
    assert "script-src 'self'" in allowed
    assert "style-src 'self' 'unsafe-inline'" in allowed


def test_the_page_of_the_schema_has_no_inline_script(client: Client) -> None:
    assert re.findall(r"<script(?! src=)", client.get("/api/schema/browse/").content.decode()) == []


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("X-Frame-Options", "DENY"),
    ],
)
def test_pages_bear_the_other_headers(browser_of: Client, header: str, value: str) -> None:
    assert browser_of.get("/").headers[header] == value


def test_pages_may_not_listen_watch_or_locate(browser_of: Client) -> None:
    allowed = browser_of.get("/").headers["Permissions-Policy"]
    assert {"camera=()", "microphone=()", "geolocation=()"} <= set(allowed.split(", "))


@pytest.mark.parametrize(
    ("url", "told"), [("https://a.example", "max-age=2592000"), ("http://127.0.0.1", None)]
)
def test_browsers_come_over_tls_alone_where_there_is_tls(
    browser_of: Client, settings: Any, url: str, told: str | None
) -> None:
    settings.ASKWEB_URL = url
    assert browser_of.get("/").headers.get("Strict-Transport-Security") == told


def test_a_request_for_another_host_is_refused_under_the_policy(client: Client) -> None:
    response = client.get("/", headers={"Host": "evil.example"})
    assert "evil" not in response.headers["Content-Security-Policy"]


def test_every_import_of_our_modules_is_in_the_map() -> None:
    imported = {name for path in JS.rglob("*.js") for name in IMPORTED.findall(path.read_text())}
    assert imported
    assert all((JS / name.removeprefix("askweb/")).is_file() for name in imported)


@pytest.mark.parametrize("debug", [False, True])
def test_the_map_leads_to_the_files(client: Client, settings: Any, debug: bool) -> None:
    settings.DEBUG = debug
    imports = json.loads(import_map())["imports"]
    addresses = [imports["askweb/"] + "socket.js", imports["katex"], imports["katex.css"]]
    assert [client.get(address).status_code for address in addresses] == [200, 200, 200]
    assert bool(re.match(r"/static/[0-9a-f]{12}/", addresses[0])) is not debug
