"""The files in the extension's own isolated world, as `chrome.scripting` brings them there."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from tests.extension.conftest import worker_of
from tests.extension.reading.conftest import FILES

INJECT = """
  async ([files, url]) => {
    const [{ id: tabId }] = await chrome.tabs.query({ url });
    await chrome.scripting.executeScript({ target: { tabId }, files });
    await chrome.scripting.executeScript({ target: { tabId }, files });
    const func = async () => {
      const read = await askwebPage.read({});
      const [part] = read.context.find(({ id }) => id === "pageSearch").list;
      return { ...read, highlighted: askwebPage.highlight(part) };
    };
    const [{ result }] = await chrome.scripting.executeScript({ target: { tabId }, func });
    return result;
  }
"""

Reading = Callable[[str], Any]


@pytest.fixture
def read(extension: BrowserContext, site: str) -> Reading:
    """Injects twice, reads, and marks the first part."""

    def read(path: str) -> Any:
        extension.new_page().goto(site + path)
        return worker_of(extension).evaluate(INJECT, [FILES, site + path])

    return read


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("article", "Red sky at night,\n  shepherds' delight."),
        ("documentation", "def halves(n):\n    while n > 1:\n        yield n\n\n        n //= 2"),
        ("hostile", "Text in a form that is clobbered."),
        ("strict", "a person may read the page"),
    ],
)
def test_pages_are_read_and_marked(read: Reading, name: str, text: str) -> None:
    result = read(f"/{name}.html")
    assert text in result["context"][0]["content"]
    assert result["highlighted"] == "found"
    assert "SECRET" not in str(result)


def test_closed_shadow_roots_are_named_as_left_out(read: Reading) -> None:
    result = read("/shadow.html")
    assert result["leftOut"] == [{"what": "shadow", "name": "closed-card"}]
    assert "Text in the closed shadow." not in str(result)


def test_no_policy_of_the_page_holds_readability_up(read: Reading) -> None:
    assert "Short footer" not in read("/strict.html")["context"][0]["content"]
