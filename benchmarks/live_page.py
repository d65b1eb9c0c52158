"""How long the page's tasks take while a reply streams, by the browser's own measure.

A reply of ordinary Markdown comes at so many deltas a second to a real server and a real Chromium, whose
PerformanceObserver tells of every task of more than 50 ms. That is wall time: on a machine with other work it says
little, so the tasks' processor time is read from a trace as well. It measures and judges nothing.

    python benchmarks/live_page.py --deltas 3000 --rate 100
"""

import argparse
import asyncio
import json
import sys
import tempfile
import threading
import time
from pathlib import Path

from aiohttp import web

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Page, sync_playwright

from benchmarks.rendering import SECTION
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer, free_port

OBSERVE = """() => {
  window.long = [];
  const note = (entry) => window.long.push(Math.round(entry.duration));
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "longtask" });
}"""
SIZE = 32
"""Characters of a delta."""
CHROMIUM = "/usr/bin/chromium"


class Provider:
    """Streams so many deltas at so many a second to whoever asks."""

    def __init__(self, deltas: int, rate: int) -> None:
        sections = (SECTION.format(number=number) for number in range(deltas))
        text = ""
        while len(text) < deltas * SIZE:
            text += next(sections)
        self.text = text[: deltas * SIZE]
        self.port = free_port()
        self._step = 1 / rate
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        web.run_app(app, host="127.0.0.1", port=self.port, handle_signals=False, print=None)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        start = time.monotonic()
        for number, at in enumerate(range(0, len(self.text), SIZE)):
            await asyncio.sleep(start + number * self._step - time.monotonic())
            await response.write(sse.chunk(self.text[at : at + SIZE]))
        await response.write(sse.finish())
        return response


def main() -> None:
    arguments = _arguments()
    provider = Provider(arguments.deltas, arguments.rate)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        live = LiveServer(Path(folder))
        live.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_init_script(f"({OBSERVE})()")
        browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
        try:
            _measure(page, live, provider)
            _tell_processor_time(browser.stop_tracing())
        finally:
            browser.close()
            live.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deltas", type=int, default=3000)
    parser.add_argument("--rate", type=int, default=100)
    return parser.parse_args()


def _measure(page: Page, live: LiveServer, provider: Provider) -> None:
    row = {"slug": "paced", "base_url": f"http://127.0.0.1:{provider.port}/v1", "api_key": "sk-test"}
    added = live.post("/api/providers/", row | {"default_model": "paced"})
    assert added.status == 201, added.body
    page.goto(live.sign_in_link())
    asked = live.ask("paced")
    start = time.monotonic()
    page.goto(f"{live.url}/conversations/{asked.conversation}/")
    _tell(page, "loading")
    while live.run(asked.run)["state"] in ("queued", "streaming"):
        page.wait_for_timeout(1000)
    _tell(page, f"streaming {len(provider.text)} characters in {time.monotonic() - start:.0f} s")
    page.wait_for_selector(".message--reply[data-state=complete]")
    page.wait_for_timeout(1000)
    _tell(page, "the end")


def _tell(page: Page, when: str) -> None:
    tasks = sorted(page.evaluate("window.long.splice(0)"), reverse=True)
    over = sum(task > 100 for task in tasks)
    print(f"{when}: {len(tasks)} tasks over 50 ms, {over} over 100; the longest, ms: {tasks[:5]}", flush=True)


def _tell_processor_time(trace: bytes) -> None:
    events = json.loads(trace)["traceEvents"]
    main_threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event.get("tdur", 0) / 1000
        for event in events
        if (event["pid"], event["tid"]) in main_threads and event["name"].endswith("::RunTask")
    ]
    longest = [round(task) for task in sorted(tasks, reverse=True)[:5]]
    print(f"processor time: {sum(tasks) / 1000:.1f} s; the longest tasks, loading included, ms: {longest}")


if __name__ == "__main__":
    main()
