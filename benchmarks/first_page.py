"""What a browser that has nothing of AskWeb yet must load until its person can type, and how long that takes.

A real server with conversations, and a real Chromium that is signed in. Bytes are what Chromium counts as it comes
over the network, headers included, with all that the page still loads after it can be used. The page can be used once
its scripts run, the conversations are listed and the question box takes what is typed. It judges nothing.

    python benchmarks/first_page.py --runs 5
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from load import Server
from playwright.sync_api import Browser, Page, sync_playwright
from processes import PROJECT, product

CHROMIUM = "/usr/bin/chromium"
NO_PORT = 9
"""Nothing is asked, so the provider need not be there."""
LISTED = 30
TURNS = 10
REPLY = """First install what you need, *then* run it: `pip install example` takes about **a minute**.

- Read the file, line by line
- Skip what is empty

```python
def step(lines: list[str]) -> dict[str, int]:
    return {word: len(word) for word in lines if word}
```

| name | value | unit |
|------|------:|------|
| a    | 1     | ms   |

""" + ("What is left over is what was asked for, in the order in which it was written. " * 6)
USABLE = """() => {
  const look = () => {
    const box = document.querySelector("#composer-text");
    box?.focus();
    const usable = box && document.activeElement === box && customElements.get("conversation-list");
    if (!usable || !document.querySelector("conversation-list .listed__link[href]")?.checkVisibility())
      return requestAnimationFrame(look);
    window.usable = performance.now();
  };
  look();
}"""


@dataclass(frozen=True)
class FirstPage:
    """Medians. A kilobyte is 1,000 bytes; `milliseconds` are from the start of the navigation."""

    kilobytes: float
    requests: float
    milliseconds: float


@dataclass(frozen=True)
class Site:
    """A server with conversations, one of which is at the address `conversation`."""

    url: str
    sign_in: str
    conversation: str


def measure(runs: int) -> FirstPage:
    """Load the first page so many times, each with nothing kept."""
    with _site() as site, _signed_in(site) as tabs:
        return tabs.load(site.url, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="loads of each page (5)")
    runs = parser.parse_args().runs
    with _site() as site, _signed_in(site) as tabs:
        _tell("the first page", tabs.load(site.url, runs))
        _tell("the first page, again", tabs.load(site.url, runs, visits=2))
        _tell(f"a conversation of {TURNS} turns", tabs.load(site.conversation, runs))


def _tell(name: str, page: FirstPage) -> None:
    print(f"{name:30}{page.kilobytes:7.1f} kB{page.requests:6.0f} requests{page.milliseconds:7.0f} ms")


@dataclass(frozen=True)
class Tabs:
    """Opens tabs in new windows, in which a person is signed in and nothing else is kept."""

    browser: Browser
    kept: Any

    def load(self, address: str, runs: int, visits: int = 1) -> FirstPage:
        """The medians of the last of so many visits with one cache."""
        pages = [self._visit(address, visits) for _run in range(runs)]
        return FirstPage(
            median(page.kilobytes for page in pages),
            median(page.requests for page in pages),
            median(page.milliseconds for page in pages),
        )

    def _visit(self, address: str, visits: int) -> FirstPage:
        with self.browser.new_context(storage_state=self.kept) as window:
            return [_load(window.new_page(), address) for _visit in range(visits)][-1]


def _load(tab: Page, address: str) -> FirstPage:
    sent: set[str] = set()
    sizes: list[float] = []
    network = tab.context.new_cdp_session(tab)
    network.on("Network.requestWillBeSent", lambda event: sent.add(event["requestId"]))
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.send("Network.enable")
    tab.add_init_script(f"({USABLE})()")
    tab.goto(address, wait_until="networkidle")
    milliseconds = tab.wait_for_function("window.usable").json_value()
    tab.close()
    return FirstPage(sum(sizes) / 1000, len(sent), milliseconds)


@contextmanager
def _signed_in(site: Site) -> Iterator[Tabs]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with browser.new_context() as window:
            window.new_page().goto(site.sign_in)
            kept = window.storage_state()
        yield Tabs(browser, kept)
        browser.close()


@contextmanager
def _site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as folder, product(Path(folder), NO_PORT) as server:
        url = f"http://127.0.0.1:{server.port}"
        ids = [_import(server, f"How the words of file {number} are counted") for number in range(LISTED)]
        yield Site(url, _sign_in_link(Path(folder), server.port), f"{url}/conversations/{ids[-1]}/")


def _import(server: Server, title: str) -> str:
    messages = [
        {
            "id": str(number),
            "parent": str(number - 1) if number else None,
            "role": "assistant" if number % 2 else "user",
            "content": REPLY if number % 2 else "How do I count the words of this file?",
        }
        for number in range(2 * TURNS)
    ]
    conversation = {"title": title, "head": messages[-1]["id"]}
    file = {"format": "askweb.conversation", "version": 1, "conversation": conversation, "messages": messages}
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    address = f"http://127.0.0.1:{server.port}/api/conversations/import/"
    with urllib.request.urlopen(
        urllib.request.Request(address, json.dumps(file).encode(), headers)
    ) as answer:
        id_: str = json.load(answer)["id"]
        return id_


def _sign_in_link(folder: Path, port: int) -> str:
    ours = {"ASKWEB_DATA": str(folder), "HOST": "127.0.0.1", "PORT": str(port)}
    command = [sys.executable, "manage.py", "sign_in_link"]
    done = subprocess.run(
        command, cwd=PROJECT, env=os.environ | ours, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


if __name__ == "__main__":
    main()
