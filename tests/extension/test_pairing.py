"""Pairing in Chromium: its own window shows the server's page, the person approves there, and the token stays hidden."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.extension.conftest import HOME, worker_of
from tests.extension.test_options import OPTIONS, pair
from tests.stand_ins.server import LiveServer

Open = Callable[[str], Page]
# As RFC 7636, appendix B, has them.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.fixture
def asked(
    extension: BrowserContext, open_page: Open, live: LiveServer, session_cookie: str
) -> tuple[Page, Page]:
    """The options page, and the window that Pair opened."""
    extension.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
    options = open_page(OPTIONS)
    with extension.expect_page() as opened:
        pair(options, live.url)
    return options, opened.value


def test_approving_pairs(asked: tuple[Page, Page], extension: BrowserContext, live: LiveServer) -> None:
    options, window = asked
    window.get_by_role("button", name="Approve").click()
    expect(options.get_by_role("status")).to_contain_text(f"Paired with {live.url}")
    token = worker_of(extension).evaluate(
        "async () => (await chrome.storage.local.get('pairing')).pairing.token"
    )
    assert live.get("/api/devices/", token=token).json["results"][0]["scopes"] == ["ask", "read", "questions"]


def test_cancelling_is_told(asked: tuple[Page, Page]) -> None:
    options, window = asked
    window.get_by_role("button", name="Cancel").click()
    expect(options.get_by_role("alert")).to_contain_text("It was not approved")
    expect(options.get_by_role("status")).to_have_text("Not paired yet.")


def test_closing_the_window_is_told(asked: tuple[Page, Page]) -> None:
    options, window = asked
    window.close()
    expect(options.get_by_role("alert")).to_contain_text("It was not approved")


class GoesDown(BaseHTTPRequestHandler):
    """Greets as AskWeb does, and has no page to show."""

    def do_GET(self) -> None:
        if self.path.startswith("/pair/"):
            return
        body = b'{"error": {"code": "auth.required", "message": ""}}'
        self.send_response(401)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_said: object) -> None:
        pass


def test_a_server_that_goes_down_before_the_window_opens_is_told(open_page: Open) -> None:
    options = open_page(OPTIONS)
    with ThreadingHTTPServer(("127.0.0.1", 0), GoesDown) as server:
        threading.Thread(target=server.serve_forever).start()
        pair(options, f"http://127.0.0.1:{server.server_port}")
        expect(options.get_by_role("alert")).to_contain_text("AskWeb can't be reached")
        server.shutdown()


def evaluate(page: Page, expression: str) -> object:
    return page.evaluate(
        f"async () => {{ const pairing = await import('/worker/pairing.js'); return {expression} }}"
    )


def test_the_challenge_is_that_of_the_standard(open_page: Open) -> None:
    assert evaluate(open_page(OPTIONS), f"pairing.challengeOf('{VERIFIER}')") == CHALLENGE


def test_each_wish_has_a_state_and_a_verifier_of_its_own(open_page: Open) -> None:
    page = open_page(OPTIONS)
    one, other = (evaluate(page, "pairing.newWish('http://127.0.0.1:8000')") for _time in range(2))
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    assert one["state"] != other["state"]
    assert one["verifier"] != other["verifier"]
    assert one["back"] == f"https://{HOME.rpartition('/')[2]}.chromiumapp.org/paired"
    assert one["verifier"] not in one["url"]


def test_an_answer_to_another_question_is_not_taken(open_page: Open) -> None:
    address = "https://x.example/?code=c&state=theirs"
    thrown = f"(() => {{ try {{ pairing.codeOf('{address}', 'ours') }} catch (problem) {{ return problem.code }} }})()"
    assert evaluate(open_page(OPTIONS), thrown) == "pairing_state"


def test_no_page_of_the_extension_is_told_the_token(
    paired: BrowserContext, open_page: Open, live: LiveServer
) -> None:
    told = open_page(OPTIONS).evaluate("() => chrome.runtime.sendMessage({ act: 'pairing' })")
    assert told["answer"]["isPaired"]
    assert live.token not in str(told)


def test_no_script_in_a_page_can_read_or_ask_for_it(paired: BrowserContext, live: LiveServer) -> None:
    tab = paired.new_page()
    tab.goto(f"{live.url}/sign-in/")
    injected = """async () => {
      const [tab] = await chrome.tabs.query({ url: "http://127.0.0.1/*" });
      const func = async () => [
        await chrome.storage.local.get(null).catch((refused) => refused.message),
        await chrome.runtime.sendMessage({ act: "pairing" }).catch((refused) => refused.message),
        await new Promise((resolve) => {
          const port = chrome.runtime.connect({ name: "panel" });
          port.onMessage.addListener(resolve);
          port.onDisconnect.addListener(() => resolve("refused"));
        }),
      ];
      const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: tab.id }, func });
      return result;
    }"""
    stored, told, port = worker_of(paired).evaluate(injected)
    assert "not allowed" in stored
    assert port == "refused"
    assert not (told or {}) or "port closed" in told
