"""Devices in Chromium: made by hand, and paired by the person's one click."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.stand_ins.server import EXTENSION, LiveServer
from tests.ui.asked import faults

BACK = f"https://{EXTENSION}.chromiumapp.org/"
# The example of RFC 7636, appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
PAIR = "/pair/?" + urlencode(
    {
        "redirect_uri": BACK,
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "kept",
        "name": "Laptop",
        "scopes": "ask read questions",
    }
)


def test_a_token_is_made_used_and_revoked(page: Page, live: LiveServer) -> None:
    page.goto("/settings/devices/")
    page.get_by_role("textbox", name="Name").fill("Night script")
    page.get_by_role("button", name="Make a token").click()
    token = page.get_by_label("The token of Night script").input_value()
    assert live.get("/api/devices/", token=token).status == 200
    page.get_by_text("Revoke: Night script").click()
    page.get_by_role("button", name="Revoke", exact=True).click()
    expect(page.get_by_text("Night script is revoked")).to_be_visible()
    assert live.get("/api/devices/", token=token).status == 401


def pressed(page: Page, button: str) -> Request:
    """The request to the extension, which Chrome would take for itself; here nobody has that address."""
    page.goto(PAIR)
    with page.expect_event("requestfailed") as failed:
        page.get_by_role("button", name=button).click()
    return failed.value


def test_approving_brings_a_code_for_a_token(page: Page, live: LiveServer) -> None:
    request = pressed(page, "Approve")
    assert "BLOCKED_BY_CSP" not in (request.failure or "")
    answer = parse_qs(urlsplit(request.url).query)
    assert answer["state"] == ["kept"]
    paired = live.post("/api/pairing/", {"code": answer["code"][0], "code_verifier": VERIFIER}, token="")
    assert paired.status == 201
    assert live.get("/api/devices/", token=paired.json["token"]).status == 200


def test_cancelling_brings_none(page: Page) -> None:
    assert pressed(page, "Cancel").url == f"{BACK}?error=access_denied&state=kept"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [PAIR, "/pair/"])
def test_the_page_has_no_faults_of_accessibility(inspected: Page, path: str, scheme: str) -> None:
    inspected.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    inspected.goto(path)
    assert faults(inspected, "main") == []


def test_a_stranger_signs_in_elsewhere_and_goes_on(browser: Browser, live: LiveServer) -> None:
    with browser.new_context(base_url=live.url) as context:
        waiting, elsewhere = context.new_page(), context.new_page()
        waiting.goto(PAIR)
        elsewhere.goto(live.sign_in_link())
        waiting.get_by_role("link", name="I am signed in now: go on").click()
        expect(waiting.get_by_role("heading", name="Pair Laptop with AskWeb?")).to_be_visible()


def test_a_window_that_was_signed_out_elsewhere_comes_back_to_its_page(
    browser: Browser, live: LiveServer
) -> None:
    with browser.new_context(base_url=live.url) as context:
        window, elsewhere = context.new_page(), context.new_page()
        elsewhere.goto(live.sign_in_link())
        window.goto("/settings/privacy/?host=a.example")
        elsewhere.get_by_role("button", name="Sign out").first.click()
        expect(window).to_have_url(f"{live.url}/sign-in/?next=%2Fsettings%2Fprivacy%2F%3Fhost%3Da.example")
        elsewhere.goto(live.sign_in_link())
        window.get_by_role("link", name="I am signed in now: go on").click()
        expect(window).to_have_url(f"{live.url}/settings/privacy/?host=a.example")
