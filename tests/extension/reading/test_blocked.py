"""Blocked hosts: nothing of them is read, whatever they are called."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route

from tests.extension.reading.conftest import Opening, Reader

NOTHING = {"context": [], "parts": 0, "problem": "host.blocked", "leftOut": []}


def served(route: Route) -> None:
    route.fulfill(
        body=f"<!doctype html><p>Text of {urlsplit(route.request.url).hostname}</p>", content_type="text/html"
    )


def open_at(opened: Opening, url: str) -> Reader:
    opened.tab.route("**/*", served)
    return opened(url)


@pytest.mark.parametrize(
    "url", ["https://bank.example/", "https://a.b.bank.example:8443/x", "http://bank.example./"]
)
def test_a_host_covers_its_subdomains_on_every_port(opened: Opening, url: str) -> None:
    assert open_at(opened, url).read(blocked=["other.example", "bank.example"]) == NOTHING


@pytest.mark.parametrize("url", ["https://notbank.example/", "https://example/", "https://bank.example.org/"])
def test_other_hosts_are_read(opened: Opening, url: str) -> None:
    assert open_at(opened, url).read(blocked=["bank.example"])["problem"] is None


def test_a_blob_has_the_host_that_made_it(opened: Opening) -> None:
    reader = open_at(opened, "https://bank.example/")
    with reader.tab.expect_navigation():
        reader.evaluate(
            "void (location.href = URL.createObjectURL(new Blob(['<p>Text'], { type: 'text/html' })))"
        )
    assert Reader(reader.tab).read(blocked=["bank.example"]) == NOTHING
