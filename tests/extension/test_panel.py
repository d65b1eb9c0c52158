"""The side panel: what was taken, the question, the reply as it is written."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.extension.conftest import TIDES
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream


def chips(panel: Page) -> Locator:
    return panel.get_by_role("list").get_by_role("listitem")


def ask(panel: Page, text: str) -> None:
    expect(chips(panel).first).to_be_visible()
    expect(
        panel.get_by_role("button", name="Send")
    ).to_be_visible()  # nothing goes out while a reply is written
    panel.get_by_label("Your message").fill(text)
    panel.keyboard.press("Enter")


def log(panel: Page) -> Locator:
    return panel.get_by_role("log")


def newest(live: LiveServer) -> Any:
    """The newest conversation's messages, the newest first."""
    conversation = live.get("/api/conversations/").json["results"][0]["id"]
    return live.get(f"/api/conversations/{conversation}/messages/").json["results"]


def test_what_was_taken_is_shown_before_anything_is_typed(panel: Page) -> None:
    expect(chips(panel)).to_have_count(2)
    expect(chips(panel).nth(0)).to_contain_text("Title and address Tides")
    expect(chips(panel).nth(1)).to_contain_text("Text of the page")


def test_a_question_goes_with_the_page_and_its_reply_arrives(
    panel: Page, live: LiveServer, upstream: Upstream
) -> None:
    gate = upstream.gate()
    upstream.will_send(
        sse.chunk("**Twice** a"), gate, sse.chunk(" day.\n\n<b>no</b><script>no</script>"), sse.finish()
    )
    ask(panel, "How often?")
    expect(log(panel)).to_contain_text("**Twice** a")
    expect(panel.get_by_role("button", name="Stop")).to_be_visible()
    gate.open()
    expect(log(panel).locator("strong")).to_have_text("Twice")
    expect(panel.get_by_role("button", name="Send")).to_be_visible()
    expect(log(panel).locator("script")).to_have_count(0)
    [context] = newest(live)[1]["context"]
    assert (context["title"], context["url"]) == ("Tides", TIDES)
    assert "The moon pulls" in context["content"]


def test_what_is_removed_does_not_go_along(panel: Page, live: LiveServer) -> None:
    panel.get_by_role("button", name="Leave out: Text of the page").click()
    expect(chips(panel)).to_have_count(1)
    ask(panel, "Which page is it?")
    expect(log(panel)).to_contain_text("Fine.")
    assert [sorted(item) for item in newest(live)[1]["context"]] == [["id", "lang", "title", "url"]]


def test_what_has_changed_since_goes_as_it_is_now(panel: Page, tides: Page, live: LiveServer) -> None:
    expect(chips(panel)).to_have_count(2)
    tides.evaluate("document.getElementById('sun').textContent = 'The wind helps.'")
    ask(panel, "What helps?")
    expect(log(panel)).to_contain_text("Fine.")
    assert "The wind helps." in newest(live)[1]["context"][0]["content"]


def test_a_double_click_posts_once(panel: Page, live: LiveServer) -> None:
    expect(chips(panel)).to_have_count(2)
    panel.get_by_label("Your message").fill("A single time, doubly clicked")
    panel.get_by_role("button", name="Send").dblclick()
    expect(log(panel)).to_contain_text("Fine.")
    assert [each["role"] for each in newest(live)] == ["assistant", "user"]
    assert len(live.get("/api/conversations/?q=doubly").json["results"]) == 1


def test_stop_stops_the_reply(panel: Page, live: LiveServer, upstream: Upstream) -> None:
    upstream.will_send(sse.chunk("So far"), upstream.gate())
    ask(panel, "Go on for ever")
    expect(log(panel)).to_contain_text("So far")
    panel.get_by_role("button", name="Stop").click()
    expect(log(panel)).to_contain_text("Stopped.")
    assert newest(live)[0]["state"] == "stopped"


def test_the_conversation_opens_in_the_control_ui(panel: Page, live: LiveServer) -> None:
    ask(panel, "Here and there")
    expect(log(panel)).to_contain_text("Fine.")
    conversation = newest(live)[0]["conversation"]
    link = panel.get_by_role("link", name="Open in AskWeb")
    expect(link).to_have_attribute("href", f"{live.url}/conversations/{conversation}/")


def test_the_second_question_continues_and_new_begins_another(panel: Page, live: LiveServer) -> None:
    ask(panel, "First")
    expect(log(panel)).to_contain_text("Fine.")
    ask(panel, "Second")
    expect(log(panel).get_by_role("article")).to_have_count(4)
    panel.get_by_role("button", name="New conversation").click()
    expect(log(panel).get_by_role("article")).to_have_count(0)
    ask(panel, "Third")
    expect(log(panel).get_by_role("article")).to_have_count(2)


AT_END = "() => { const { scrollHeight, scrollTop, clientHeight } = document.querySelector('main');"
IS_AT_END = f"{AT_END} return scrollTop > 0 && scrollHeight - scrollTop - clientHeight < 48; }}"


def test_the_newest_stays_in_sight_but_for_who_scrolled_up(panel: Page, upstream: Upstream) -> None:
    panel.set_viewport_size({"width": 360, "height": 640})
    gate = upstream.gate()
    upstream.will_send(sse.chunk("line\n\n" * 40), gate, sse.chunk("more\n\n" * 40), sse.finish())
    ask(panel, "Go on")
    panel.wait_for_function(IS_AT_END)
    panel.evaluate("document.querySelector('main').scrollTop = 0")
    gate.open()
    expect(log(panel)).to_contain_text("more")
    expect(panel.get_by_role("button", name="Send")).to_be_visible()
    assert panel.evaluate("document.querySelector('main').scrollTop") == 0


def test_what_is_said_elsewhere_shows_here(panel: Page, live: LiveServer, provider: str) -> None:
    ask(panel, "Here")
    expect(log(panel)).to_contain_text("Fine.")
    live.ask(provider, "From elsewhere", conversation=newest(live)[0]["conversation"])
    expect(log(panel)).to_contain_text("From elsewhere")


def test_whoever_asks_goes_to_the_end(panel: Page, upstream: Upstream) -> None:
    panel.set_viewport_size({"width": 360, "height": 640})
    upstream.will_send(*sse.reply("line\n\n" * 80))
    ask(panel, "Go on")
    expect(log(panel).get_by_role("button", name="Regenerate")).to_be_visible()
    panel.evaluate("document.querySelector('main').scrollTop = 0")
    ask(panel, "And now?")
    expect(log(panel)).to_contain_text("Fine.")
    panel.wait_for_function(IS_AT_END)


def test_what_is_opened_at_the_end_stays_in_sight(panel: Page, upstream: Upstream) -> None:
    panel.set_viewport_size({"width": 360, "height": 640})
    upstream.will_send(sse.chunk("", reasoning_content="why\n\n" * 80), *sse.reply("So."))
    ask(panel, "Go on")
    summary = log(panel).get_by_text("Reasoning")
    summary.press("Enter")
    expect(log(panel).get_by_text("why").first).to_be_visible()
    expect(summary).to_be_in_viewport()


def test_the_page_itself_never_scrolls(panel: Page, upstream: Upstream) -> None:
    panel.set_viewport_size({"width": 360, "height": 640})
    upstream.will_send(*sse.reply("line\n\n" * 80))
    ask(panel, "Go on")
    expect(log(panel).get_by_role("button", name="Regenerate")).to_be_visible()
    assert panel.evaluate("document.documentElement.scrollHeight") == 640


def test_a_question_says_with_what_tool_it_was_asked(panel: Page) -> None:
    expect(panel.get_by_label("Tool").get_by_role("option", name="Summarise")).to_be_attached()
    panel.get_by_label("Tool").select_option("Summarise")
    panel.get_by_role("button", name="Send").click()
    expect(log(panel).get_by_role("article", name="You")).to_have_text("Tool: SummariseEdit")
    expect(log(panel)).to_contain_text("Fine.")
