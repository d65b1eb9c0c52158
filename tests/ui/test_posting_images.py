"""Images on their way: picked, pasted and dropped in the composer, and shown with what was asked."""

import base64

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.images.pictures import drawn, written
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import composer, faults

GIVE = """([type, name, encoded, kind]) => {
  const bytes = Uint8Array.from(atob(encoded), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, { type: kind }));
  const [property, Kind] = type === "paste" ? ["clipboardData", ClipboardEvent] : ["dataTransfer", DragEvent];
  const event = new Kind(type, { bubbles: true, cancelable: true, [property]: data });
  document.getElementById("composer-text").dispatchEvent(event);
}"""


def file(width: int = 32, name: str = "red.png") -> FilePayload:
    return {"name": name, "mimeType": "image/png", "buffer": written(drawn(width), "PNG")}


def pick(page: Page, *files: FilePayload) -> None:
    page.get_by_label("Add images").set_input_files(list(files))


def give(page: Page, act: str, data: FilePayload) -> None:
    """Paste or drop a file."""
    encoded = base64.b64encode(data["buffer"]).decode()
    page.evaluate(GIVE, [act, data["name"], encoded, data["mimeType"]])


def attached(page: Page) -> Locator:
    """Those that the server has."""
    return page.locator("[data-part=attached] [data-id]")


def problem(page: Page) -> Locator:
    return page.locator("#composer [role=alert]")


@pytest.fixture
def provider(live: LiveServer, upstream: Upstream) -> str:
    return live.add_provider(upstream, is_default=True)


def test_images_go_with_the_message_and_show_in_it(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    upstream.will_send(*sse.reply("Red."))
    page.goto("/")
    pick(page, file(32), file(48))
    expect(attached(page)).to_have_count(2)
    composer(page).fill("Which colour?")
    composer(page).press("Enter")
    shown = page.get_by_role("article", name="You").get_by_role("img")
    expect(shown).to_have_count(2)
    expect(shown.first).to_have_attribute("alt", "Image 1 of 2")
    expect(shown.first).to_have_js_property("naturalWidth", 32)
    parts = upstream.next_call().body["messages"][-1]["content"]
    assert [part["type"] for part in parts if part["type"] != "text"] == ["image_url"] * 2
    shown.last.click()
    expect(page.get_by_role("dialog").get_by_role("img")).to_have_js_property("naturalWidth", 48)


def test_one_may_go_without_words(page: Page, upstream: Upstream, provider: str) -> None:
    page.goto("/")
    pick(page, file())
    expect(attached(page)).to_have_count(1)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("article", name="You").get_by_role("img")).to_have_count(1)
    [part] = upstream.next_call().body["messages"][-1]["content"]
    assert part["type"] == "image_url"


def test_nothing_is_sent_when_the_only_image_fails(
    inspected: Page, upstream: Upstream, provider: str
) -> None:
    inspected.goto("/")
    pick(inspected, {"name": "broken.png", "mimeType": "image/png", "buffer": b"broken"})
    inspected.get_by_role("button", name="Send").click()
    expect(problem(inspected)).to_contain_text("damaged")
    expect(composer(inspected)).to_have_js_property("required", True)
    assert upstream.count_calls() == 0


def test_in_an_open_conversation_they_show_without_a_reload(
    page: Page, live: LiveServer, upstream: Upstream, provider: str
) -> None:
    asked = live.ask(provider)
    live.ended(asked.run)
    page.goto(f"/conversations/{asked.conversation}/")
    pick(page, file())
    composer(page).fill("And this one?")
    composer(page).press("Enter")
    shown = page.get_by_role("article", name="You").last.get_by_role("img", name="Image 1 of 1")
    expect(shown).to_be_visible()
    expect(attached(page)).to_have_count(0)


@pytest.mark.parametrize("act", ["paste", "drop"])
def test_they_can_be_pasted_and_dropped(page: Page, act: str) -> None:
    page.goto("/")
    give(page, act, file())
    expect(attached(page)).to_have_count(1)
    expect(composer(page)).to_have_value("")


def test_they_stay_in_the_draft_until_they_are_removed(page: Page) -> None:
    page.goto("/")
    pick(page, file())
    expect(attached(page)).to_have_count(1)
    page.reload()
    expect(attached(page).get_by_role("img")).to_have_js_property("naturalWidth", 32)
    page.get_by_role("button", name="Remove this image").click()
    expect(attached(page)).to_have_count(0)
    expect(page.get_by_label("Add images")).to_be_focused()
    page.reload()
    expect(attached(page)).to_have_count(0)


def test_there_are_four_at_most(page: Page) -> None:
    page.goto("/")
    pick(page, *(file(8 * n) for n in range(1, 6)))
    expect(attached(page)).to_have_count(4)
    expect(problem(page)).to_contain_text("4")


def test_what_is_too_large_is_said_in_words(page: Page) -> None:
    page.goto("/")
    pick(page, {"name": "big.png", "mimeType": "image/png", "buffer": bytes(5 * 1024 * 1024 + 1)})
    expect(problem(page)).to_contain_text("big.png is larger than 5 MB")


def test_what_is_no_image_is_said_in_words(inspected: Page) -> None:
    inspected.goto("/")
    give(inspected, "drop", {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"No image"})
    expect(problem(inspected)).to_contain_text("image")
    expect(inspected.locator("[data-part=attached] > *")).to_have_count(0)


def test_no_faults_with_images(inspected: Page, live: LiveServer, provider: str) -> None:
    inspected.goto("/")
    pick(inspected, file())
    expect(attached(inspected)).to_have_count(1)
    assert faults(inspected, ".composer") == []
    composer(inspected).fill("Look")
    composer(inspected).press("Enter")
    expect(inspected.get_by_role("img", name="Image 1 of 1")).to_be_visible()
    assert faults(inspected, ".transcript") == []


def test_a_large_image_stands_at_the_side_of_its_question(page: Page, provider: str) -> None:
    page.goto("/")
    pick(page, file(1600))
    expect(attached(page)).to_have_count(1)
    composer(page).fill("Look")
    composer(page).press("Enter")
    image = page.get_by_role("img", name="Image 1 of 1")
    expect(image).to_be_visible()
    sides = [each.bounding_box() for each in (image, page.locator(".message--user .message__text"))]
    right = [each["x"] + each["width"] for each in sides if each]
    assert len(right) == 2
    assert abs(right[0] - right[1]) < 1


def test_its_button_alone_shows_that_the_field_for_files_has_the_focus(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Temporary").focus()
    page.keyboard.press("Tab")
    field = page.get_by_label("Add images")
    expect(field).to_be_focused()
    assert field.evaluate("field => field.offsetWidth") == 1
    assert field.evaluate("field => getComputedStyle(field.closest('label')).outlineStyle") == "solid"
