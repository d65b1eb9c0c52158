"""Pages of our own, on a server that does nothing else, read by the extension's files in an isolated world."""

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

from tests.required import PROJECT

PAGES = Path(__file__).parent.parent / "pages"
EXTENSION = PROJECT / "extension"
FILES = re.findall(r'"(.+\.js)"', (EXTENSION / "page" / "files.js").read_text(encoding="utf-8"))
STRICT = (
    "default-src 'none'; script-src 'none'; style-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

Part = dict[str, str]


class PageHandler(SimpleHTTPRequestHandler):
    """Files of `pages/`. Those named strict… forbid all that a policy can forbid; `/spa/…` is one page."""

    def translate_path(self, path: str) -> str:
        return super().translate_path("/spa.html" if path.startswith("/spa/") else path)

    def end_headers(self) -> None:
        if self.path.startswith("/strict"):
            self.send_header("Content-Security-Policy", STRICT)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Reader:
    """The extension's files in a tab's isolated world, where nothing of the page's scripts is seen."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.session: CDPSession = tab.context.new_cdp_session(tab)
        self.enter()
        self.inject()

    def enter(self) -> None:
        """A world of its own, as each navigation makes one."""
        frame = self.session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "askweb"})
        self.world = world["executionContextId"]

    def inject(self) -> None:
        for name in FILES:
            source = (EXTENSION / name).read_text(encoding="utf-8")
            self.evaluate(f"{source}\nvoid 0; //# sourceURL=extension/{name}")

    def evaluate(self, expression: str) -> Any:
        """In the isolated world."""
        asked = {
            "expression": expression,
            "contextId": self.world,
            "awaitPromise": True,
            "returnByValue": True,
        }
        answer = self.session.send("Runtime.evaluate", asked)
        if fault := answer.get("exceptionDetails"):
            raise AssertionError(fault.get("exception", {}).get("description") or fault["text"])
        return answer["result"].get("value")

    def read(self, **options: Any) -> Any:
        return self.evaluate(f"askwebPage.read({json.dumps(options)})")

    def items(self, kind: str, **options: Any) -> list[Any]:
        return [item for item in self.read(**options)["context"] if item["id"] == kind]

    def item(self, kind: str, **options: Any) -> Any:
        """The only item of this kind."""
        (found,) = self.items(kind, **options)
        return found

    def parts(self, **options: Any) -> list[Part]:
        found: list[Part] = self.item("pageSearch", **options)["list"]
        return found

    def part(self, digest: str) -> Part:
        """The only part whose digest begins so."""
        (found,) = (part for part in self.parts() if part["digest"].startswith(digest))
        return found

    def highlight(self, part: Part) -> str:
        found: str = self.evaluate(f"askwebPage.highlight({json.dumps(part)})")
        return found

    def select(self, script: str) -> None:
        """`script` sets up `range`."""
        self.evaluate(
            f"{{ const range = new Range(); {script}; "
            "getSelection().removeAllRanges(); getSelection().addRange(range); }"
        )


class Opening:
    """Opens a page by its path, or from HTML, and brings the extension's files into it."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab

    def __call__(self, path: str) -> Reader:
        self.tab.goto(path)
        return Reader(self.tab)

    def html(self, html: str) -> Reader:
        self.tab.goto("/empty.html")
        self.tab.evaluate("html => { document.open(); document.write(html); document.close(); }", html)
        return Reader(self.tab)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the pages. With `localhost` it is of another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(PageHandler, directory=str(PAGES))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def reading_window(browser: Browser, site: str) -> Iterator[BrowserContext]:
    with browser.new_context(base_url=site, viewport={"width": 1000, "height": 700}) as context:
        yield context


@pytest.fixture
def opened(reading_window: BrowserContext) -> Iterator[Opening]:
    tab = reading_window.new_page()
    yield Opening(tab)
    tab.close()
