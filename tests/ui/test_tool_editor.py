"""Tools in Chromium: staff repair, try out, replay, publish and roll back a template; readers see what it does."""

import secrets
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import faults

EXPLAIN = "/tools/explain/?owner=shared"
QUESTION = {
    "id": "stackoverflow",
    "title": "What are the differences between a HashMap and a Hashtable?",
    "url": "https://stackoverflow.com/questions/40471",
    "question": "Which is more efficient without threads?",
    "answers": [],
}
TEMPLATE = "Plainly, in {{chat.language}}:\n{{#if stackoverflow.title}}\n{{stackoverflow.title}}\n{{/if}}\n{{chat.input}}"


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream, is_default=True)


@pytest.fixture(autouse=True)
def shipped_again(live: LiveServer) -> Iterator[None]:
    """The server is shared with other tests, so the text that shipped comes back."""
    yield
    live.post("/api/tools/explain/versions/1/restore/?owner=shared", {})
    live.request("PATCH", "/api/tools/explain/?owner=shared", b'{"draft": null}')


def ask_on_stack_overflow(live: LiveServer, provider: str, text: str) -> str:
    meta = {"provider": provider, "tool": "explain"}
    body = {"meta": meta, "context": [QUESTION], "messages": [{"role": "user", "content": text}]}
    posted = live.post("/api/conversations/", body).json
    live.ended(posted["run"]["id"])
    return str(posted["reply"]["id"])


def publish(page: Page, text: str) -> None:
    page.goto(EXPLAIN)
    page.get_by_role("textbox", name="Template").fill(text)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("is in use now.")).to_be_visible()


def test_an_error_is_told_as_one_types_and_leads_to_its_place(page: Page, live: LiveServer) -> None:
    page.goto(EXPLAIN)
    template = page.get_by_role("textbox", name="Template")
    template.fill("Explain this:\n  {{#if page.selection}}{{page.selection}}")
    expect(page.get_by_text("One error")).to_be_visible()
    expect(page.get_by_text("opened in line 2 is never closed")).to_be_visible()
    page.get_by_role("link", name="Line 2, column 3").click()
    expect(template).to_be_focused()
    assert template.evaluate("area => area.selectionStart") == len("Explain this:\n  ")
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("{{/if}}")
    expect(page.get_by_text("No errors")).to_be_visible()
    expect(page.get_by_role("link", name="Line 2")).to_have_count(0)


def test_a_draft_is_tried_on_a_stored_context_and_on_samples(
    page: Page, live: LiveServer, provider: str
) -> None:
    ask_on_stack_overflow(live, provider, "Which one is older?")
    page.goto(EXPLAIN)
    page.get_by_label("Find a question").fill("which one is older")
    page.get_by_label("Context", exact=True).select_option(label="A sentence in Chinese")
    expect(page.get_by_label("Context", exact=True).locator("option", has_text="HashMap")).to_have_count(0)
    page.get_by_role("textbox", name="Template").fill(TEMPLATE)
    option = page.get_by_label("Context", exact=True).locator("option", has_text="Which one is older?")
    page.get_by_label("Context", exact=True).select_option(value=option.first.get_attribute("value"))
    preview = page.locator("[data-part=preview]")
    expect(preview).to_contain_text("Plainly, in English:\nWhat are the differences between a HashMap")
    expect(preview).to_contain_text("Which one is older?")


def test_a_draft_is_replayed_over_twenty_messages_and_one_is_asked_again(
    page: Page, live: LiveServer, provider: str, upstream: Upstream
) -> None:
    for number in range(20):
        ask_on_stack_overflow(live, provider, f"Question {number}")
    page.goto(EXPLAIN)
    page.get_by_role("textbox", name="Template").fill(TEMPLATE)
    page.get_by_role("button", name="Save draft").click()
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("article")).to_have_count(20)
    newest = page.get_by_role("article", name="Question 19")
    expect(newest).to_contain_text("Plainly, in English:")
    newest.get_by_role("checkbox").check()
    page.get_by_role("button", name="Ask the chosen ones again").click()
    answers = page.get_by_role("region", name="Answers side by side")
    expect(answers.get_by_text("Fine.")).to_have_count(2)


def assembled_for_a_reader(live: LiveServer) -> str:
    """What a reader, who is no staff and has a provider of their own, would send with the tool."""
    token = live.new_person(f"reader-{secrets.token_hex(4)}")
    provider = {"base_url": "https://api.example.com/v1", "default_model": "m", "is_default": True}
    live.post("/api/providers/", provider, token=token)
    body = {"meta": {"tool": "explain"}, "context": [QUESTION], "messages": []}
    return str(live.post("/api/assemble/", body, token=token).json["messages"][-1]["content"])


def test_a_published_text_is_what_readers_send_too(page: Page, live: LiveServer) -> None:
    publish(page, TEMPLATE)
    assert "Plainly, in English:" in assembled_for_a_reader(live)


def test_a_published_text_is_what_is_sent_until_it_is_rolled_back(
    page: Page, live: LiveServer, provider: str
) -> None:
    publish(page, TEMPLATE)
    reply = ask_on_stack_overflow(live, provider, "Which?")
    page.goto(f"/messages/{reply}/sent/")
    expect(page.get_by_text("Plainly, in English:")).to_be_visible()
    page.goto(EXPLAIN)
    page.get_by_role("button", name="Use again Version 1", exact=True).click()
    expect(page.get_by_text("The text of version 1 is in use again")).to_be_visible()
    reply = ask_on_stack_overflow(live, provider, "And now?")
    page.goto(f"/messages/{reply}/sent/")
    expect(page.get_by_text("Explain the following in English")).to_be_visible()


def test_earlier_versions_have_no_faults_of_accessibility(inspected: Page, page: Page) -> None:
    publish(page, TEMPLATE)
    inspected.goto(EXPLAIN)
    expect(inspected.get_by_role("button", name="Use again").first).to_be_visible()
    assert faults(inspected) == []


def test_times_are_in_the_readers_zone(page: Page) -> None:
    zone = {"timezoneId": "Asia/Shanghai"}
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", zone)
    page.goto("/tools/explain/")
    published = page.locator(".rows time").first
    when = datetime.fromisoformat(published.get_attribute("datetime") or "").astimezone(
        ZoneInfo("Asia/Shanghai")
    )
    expect(published).to_have_text(f"{when:%b} {when.day}, {when.year}, {when:%-I:%M %p}")
