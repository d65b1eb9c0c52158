"""The list of conversations in Chromium: its buttons, its sections, other tabs, and what it is for every eye."""

import json
import re
import secrets
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stand_ins.server import LiveServer
from tests.ui.asked import announced, faults

OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
PROBLEM = {"error": {"code": "busy", "message": "Wait a little.", "fields": {}}}


@pytest.fixture
def site() -> str:
    """A site of its own, so that what other tests left is not in the way."""
    return f"{secrets.token_hex(4)}.example"


def make(live: LiveServer, site: str, title: str, **more: object) -> str:
    """A conversation without messages, as if imported; return its id."""
    fields = {"title": title, "page": {"title": "", "url": f"https://{site}/"}, **more}
    file = {"format": "askweb.conversation", "version": 1, "conversation": fields, "messages": []}
    answer = live.post("/api/conversations/import/", file)
    assert answer.status == 201, answer.body
    return str(answer.json["id"])


def item(page: Page, id_: str) -> Locator:
    return page.locator(f'.listed[data-id="{id_}"]')


def pinned(page: Page) -> Locator:
    return page.get_by_role("region", name="Pinned")


def do(page: Page, id_: str, *names: str) -> None:
    """Open the item's actions and press these, by keyboard alone."""
    item(page, id_).get_by_label("Pin, archive or delete").press("Enter")
    for name in names:
        item(page, id_).locator(":is(button, summary)", has_text=re.compile(f"^{name}$")).first.press("Enter")


def expect_focus_on(page: Page, id_: str) -> None:
    expect(page.locator(f'[data-id="{id_}"]:focus-within')).to_be_visible()


def stored(live: LiveServer, id_: str) -> Any:
    return live.get(f"/api/conversations/{id_}/").json


def test_a_pinned_one_moves_to_the_section_on_top_and_back(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    page.goto("/")
    do(page, id_, "Pin")
    expect(pinned(page).locator(f'[data-id="{id_}"]')).to_be_visible()
    expect(announced(page)).to_have_text("Pinned.")
    expect_focus_on(page, id_)
    do(page, id_, "Unpin")
    expect(page.locator(f'[data-main] [data-id="{id_}"]')).to_be_visible()
    assert stored(live, id_)["pinned"] is False


def test_an_archived_one_leaves_and_the_focus_goes_on(page: Page, live: LiveServer, site: str) -> None:
    under, id_ = make(live, site, "Under"), make(live, site, "Rivers")
    page.goto("/")
    do(page, id_, "Archive")
    expect(item(page, id_)).to_have_count(0)
    expect_focus_on(page, under)
    page.get_by_role("link", name="Archived").click()
    do(page, id_, "Unarchive")
    expect(item(page, id_)).to_have_count(0)
    assert stored(live, id_)["archived"] is False


def test_one_without_a_title_has_a_name_all_the_same(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "")
    with page.expect_request("**/api/questions/?status=pending"):  # by then scripts have filled the list
        page.goto(f"/conversations/{id_}/")
    expect(item(page, id_).locator("[data-part=title]")).to_have_text("Untitled conversation")
    expect(item(page, id_).get_by_label("Pin, archive or delete: Untitled conversation")).to_be_attached()
    expect(page.get_by_role("heading", level=1)).to_have_text("Untitled conversation")


def test_deleting_takes_two_steps(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    page.goto("/")
    do(page, id_, "Delete…")
    assert live.get(f"/api/conversations/{id_}/").status == 200
    item(page, id_).get_by_role("button", name="Delete", exact=True).click()
    expect(item(page, id_)).to_have_count(0)
    assert live.get(f"/api/conversations/{id_}/").status == 404


def test_deleting_the_open_one_leads_home(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    page.goto(f"/conversations/{id_}/")
    do(page, id_, "Delete…")
    item(page, id_).get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_url("/#conversations")


def test_escape_closes_step_by_step(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    page.goto("/")
    do(page, id_, "Delete…")
    page.keyboard.press("Escape")
    expect(item(page, id_).get_by_role("button", name="Delete", exact=True)).to_be_hidden()
    page.keyboard.press("Escape")
    expect(item(page, id_).get_by_role("button", name="Pin", exact=True)).to_be_hidden()
    expect(item(page, id_).get_by_label("Pin, archive or delete")).to_be_focused()


def test_other_tabs_follow(page: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    other = page.context.new_page()
    with other.expect_request("**/api/questions/?status=pending"):  # which follows the subscription
        other.goto(f"/?host={site}")
    with page.expect_request("**/api/questions/?status=pending"):
        page.goto("/")
    do(other, id_, "Pin")
    expect(pinned(page).locator(f'[data-id="{id_}"]')).to_be_visible()
    do(other, id_, "Archive")
    expect(item(page, id_)).to_have_count(0)
    do(page, make(live, site, "Lakes"), "Delete…")
    expect(other.locator(".listed__title")).to_have_text(["Lakes"])


def test_a_problem_is_told_where_the_list_is(inspected: Page, live: LiveServer, site: str) -> None:
    id_ = make(live, site, "Rivers")
    inspected.goto("/")
    inspected.route("**/api/conversations/*/", lambda route: route.fulfill(status=429, json=PROBLEM))
    do(inspected, id_, "Pin")
    expect(inspected.locator("conversation-list").get_by_role("alert")).to_have_text("Wait a little.")
    assert stored(live, id_)["pinned"] is False


def test_older_ones_come_below_without_another_page(page: Page, live: LiveServer, site: str) -> None:
    ids = [make(live, site, f"Number {number}") for number in range(52)]
    page.goto(f"/?host={site}")
    expect(page.locator(".listed")).to_have_count(50)
    page.get_by_role("link", name="Older conversations").press("Enter")
    expect(page.locator(".listed")).to_have_count(52)
    expect(page.get_by_role("link", name="Older conversations")).to_have_count(0)
    expect_focus_on(page, ids[1])


def test_sites_lead_to_their_conversations(page: Page, live: LiveServer, site: str) -> None:
    for title in ("Rivers", "Lakes"):
        make(live, site, title)
    page.goto(f"/conversations/hosts/?after={site[:-1]}")
    page.get_by_role("link", name=f"{site} 2 conversations").click()
    expect(page.locator(".listed__title")).to_have_text(["Lakes", "Rivers"])


def test_a_file_becomes_a_conversation(page: Page, live: LiveServer, site: str) -> None:
    export = live.get(f"/api/conversations/{make(live, site, 'Rivers')}/export.json").body
    page.goto("/")
    page.get_by_role("link", name="Import a conversation").click()
    choose(page, export)
    expect(page.get_by_role("heading", level=1)).to_have_text("Rivers")
    assert len(live.get(f"/api/conversations/?host={site}").json["results"]) == 2


@pytest.mark.parametrize(
    ("content", "said"), [(b"{", "it is not JSON"), (json.dumps({"format": 1}).encode(), "format: Must be")]
)
def test_a_wrong_file_is_told_beside_the_field(inspected: Page, content: bytes, said: str) -> None:
    inspected.goto("/conversations/import/")
    choose(inspected, content)
    expect(inspected.get_by_role("alert").filter(has_text=said)).to_be_visible()


def choose(page: Page, content: bytes) -> None:
    page.get_by_label("Exported conversation").set_input_files(
        {"name": "conversation.json", "mimeType": "application/json", "buffer": content}
    )
    page.get_by_role("button", name="Import").click()


def test_no_faults_in_either_scheme_with_actions_open(inspected: Page, live: LiveServer, site: str) -> None:
    make(live, site, "Lakes", pinned=True)
    id_ = make(live, site, "Rivers")
    inspected.goto("/")
    do(inspected, id_, "Delete…")
    assert faults(inspected, ".sidebar") == []
    inspected.emulate_media(color_scheme="dark")
    assert faults(inspected, ".sidebar") == []


@pytest.mark.parametrize("path", ["/conversations/hosts/", "/conversations/import/"])
def test_no_faults_on_the_pages_around_it(inspected: Page, path: str) -> None:
    inspected.goto(path)
    assert faults(inspected, "main", ".views") == []


def test_on_a_narrow_touch_screen_all_is_in_the_drawer(page: Page, live: LiveServer, site: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    id_ = make(live, site, "R" * 90)
    page.goto("/#conversations")
    do(page, id_, "Delete…")
    item(page, id_).get_by_role("button", name="Delete", exact=True).click()
    expect(item(page, id_)).to_have_count(0)
    assert page.evaluate(OVERFLOW) <= 0
