"""The page of devices in Chromium."""

from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer


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
