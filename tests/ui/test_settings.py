"""The settings in Chromium: under the strict policy, for every eye, and with hostile text in every place.

The `page` fixture fails on any error on the console, and a violation of the policy is one.
"""

from collections.abc import Iterator

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.asked import faults

SECTIONS = (
    "/settings/",
    "/settings/providers/",
    "/settings/providers/new/",
    "/settings/providers/new/?preset=openai",
    "/settings/initial-message/",
    "/settings/remembered-answers/",
    "/settings/privacy/?host=example.org",
    "/settings/extension/",
    "/settings/devices/",
    "/settings/account/",
    "/settings/people/",
)
PAGES = (*SECTIONS, "/", "/tools/", "/tools/explain/", "/tools/explain/replay/", "/questions/", "/sign-in/")
ADMIN = ("/admin/", "/admin/accounts/user/", "/admin/accounts/user/add/", "/admin/prompts/tool/add/")
HOSTILE = """<img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload=window.ran=1>"></title></textarea>'"""
MARKDOWN = f"""{HOSTILE}

[link](javascript:window.ran=1) <a href="javascript:window.ran=1" onclick="window.ran=1">a</a>
<style>body {{ display: none }}</style><iframe srcdoc="<script>parent.ran=1</script>"></iframe>
<p style="position:fixed" onmouseover="window.ran=1">styled</p> ![x](data:text/html,x)

```<img src=x onerror=window.ran=1>
{HOSTILE}
```
"""
INJECTED = """() => {
  document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.ran = 1"><p style="color: red">x</p>');
  const script = document.createElement("script");
  script.textContent = "window.ran = 1";
  document.body.append(script);
  return new Promise((done) => setTimeout(() => done(window.ran ?? null), 100));
}"""
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
DARK = "rgb(24, 28, 30)"


@pytest.fixture(autouse=True)
def settings_as_new(live: LiveServer) -> Iterator[None]:
    """The server is shared with other tests."""
    yield
    change(live, answer_language="", interface_language="", theme="system", blocked_hosts=[])


def change(live: LiveServer, **settings: object) -> None:
    assert live.request("PATCH", "/api/settings/", orjson.dumps(settings)).status == 200


def hostile_conversation(live: LiveServer) -> str:
    """Imported, so that no model has to say it."""
    context = [{"id": "page", "title": HOSTILE, "url": f"https://x.example/{HOSTILE}", "content": MARKDOWN}]
    asked = {"id": "1", "parent": None, "role": "user", "content": HOSTILE, "context": context}
    told = {"id": "2", "parent": "1", "role": "assistant", "content": MARKDOWN, "reasoning": HOSTILE}
    now = {"created": "2026-01-01T00:00:00Z", "updated": "2026-01-01T00:00:00Z"}
    page = {"title": HOSTILE, "url": "https://x.example/"}
    answer = live.post(
        "/api/conversations/import/",
        {
            "format": "askweb.conversation",
            "version": 1,
            "conversation": {"title": HOSTILE, "page": page, "head": "2", **now},
            "messages": [asked | now, told | now],
        },
    )
    assert answer.status == 201, answer.body
    id_: str = answer.json["id"]
    return id_


@pytest.mark.parametrize("path", PAGES)
def test_no_page_violates_the_policy(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("h1").first).to_be_visible()


@pytest.mark.parametrize("path", ADMIN)
def test_the_admin_works_under_the_policy(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("button", name="Toggle theme").first).to_be_attached()


def test_the_page_of_the_schema_works_under_its_policy(page: Page) -> None:
    page.goto("/api/schema/browse/")
    expect(page.get_by_text("/api/settings/").first).to_be_visible(timeout=20_000)


@pytest.mark.parametrize("where", ["", "context/"])
def test_hostile_titles_and_markdown_run_nothing(page: Page, live: LiveServer, where: str) -> None:
    conversation = hostile_conversation(live)
    message = live.get(f"/api/conversations/{conversation}/messages/").json["results"][-1]["id"]
    page.goto(f"/messages/{message}/{where}" if where else f"/conversations/{conversation}/")
    expect(page.get_by_text("window.ran=1").first).to_be_attached()
    assert page.evaluate("window.ran ?? null") is None
    live.request("DELETE", f"/api/conversations/{conversation}/")


def test_hostile_names_of_tools_and_words_of_providers_run_nothing(
    page: Page, live: LiveServer, upstream: Upstream
) -> None:
    provider = live.add_provider(upstream, name=HOSTILE[:100])
    named = {"name": HOSTILE[:200], "slug": "hostile", "template": HOSTILE, "draft": "{{" + HOSTILE}
    assert live.post("/api/tools/", named).status == 201
    refused = orjson.dumps({"error": {"message": HOSTILE, "code": HOSTILE}})
    upstream.will_send(refused, status=400, content_type="application/json")
    asked = live.ask(provider, tool="hostile")
    live.ended(asked.run)
    for path in (
        f"/conversations/{asked.conversation}/",
        f"/messages/{asked.message}/sent/",
        "/tools/",
        "/tools/hostile/",
    ):
        page.goto(path)
        expect(page.get_by_text("window.ran=1").first).to_be_attached()
        assert page.evaluate("window.ran ?? null") is None
    live.request("DELETE", "/api/tools/hostile/")


def test_should_markup_slip_through_the_policy_stops_it(
    browser: Browser, live: LiveServer, session_cookie: str
) -> None:
    told: list[str] = []
    with browser.new_context(base_url=live.url) as context:
        context.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
        context.on("console", lambda message: told.append(message.text))
        page = context.new_page()
        page.goto("/settings/")
        assert page.evaluate(INJECTED) is None
    assert len([text for text in told if "Content Security Policy" in text]) == 3


@pytest.fixture(scope="module")
def two_providers(live: LiveServer) -> None:
    for name in ("first", "second"):
        answer = live.post(
            "/api/providers/", {"slug": f"settings-{name}", "base_url": "http://127.0.0.1:9/v1"}
        )
        assert answer.status == 201, answer.body


@pytest.mark.usefixtures("two_providers")
@pytest.mark.parametrize("path", SECTIONS)
def test_no_section_has_faults_of_accessibility(inspected: Page, path: str) -> None:
    inspected.goto(path)
    inspected.emulate_media(color_scheme="light")
    in_light = faults(inspected, "main")
    inspected.emulate_media(color_scheme="dark")
    assert (in_light, faults(inspected, "main")) == ([], [])


@pytest.mark.parametrize("path", SECTIONS)
def test_no_section_is_wider_than_a_narrow_screen(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("document.querySelector('.scroller').scrollWidth") <= 320


def test_the_chosen_look_is_there_without_any_script(
    browser: Browser, live: LiveServer, session_cookie: str
) -> None:
    change(live, theme="dark")
    with browser.new_context(base_url=live.url, java_script_enabled=False, color_scheme="light") as context:
        context.add_cookies([{"name": "sessionid", "value": session_cookie, "url": live.url}])
        page = context.new_page()
        page.goto("/")
        assert page.evaluate(BACKGROUND) == DARK


def test_look_and_language_are_chosen_by_keyboard(page: Page) -> None:
    page.goto("/settings/")
    page.get_by_label("Language of AskWeb").select_option(label="日本語")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_what_the_api_says_is_in_the_language_of_the_page(
    page: Page, live: LiveServer, upstream: Upstream
) -> None:
    live.add_provider(upstream, is_default=True)
    change(live, interface_language="vi")
    page.goto("/")
    with page.expect_request("**/api/conversations/") as asked:
        page.locator("#composer-text").fill("Hi")
        page.keyboard.press("Enter")
    assert asked.value.headers["accept-language"] == "vi"
    page.locator("#composer-text").fill("")


def test_a_provider_is_added_tested_and_deleted(page: Page, upstream: Upstream) -> None:
    page.goto("/settings/providers/")
    page.get_by_role("link", name="Another one").click()
    page.get_by_label("Address of its API").fill(upstream.base_url)
    page.get_by_label("Your key").fill("sk-typed")
    page.get_by_label("Model", exact=True).fill("parrot")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("button", name="Save and test").click()
    expect(page.get_by_text("The test went well.")).to_be_visible()
    page.get_by_text("Delete this provider", exact=True).click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("is deleted, and its key with it.")).to_be_visible()


def test_a_temporary_conversation_is_not_listed(page: Page, live: LiveServer, upstream: Upstream) -> None:
    live.add_provider(upstream, is_default=True)
    page.goto("/")
    meaning = page.get_by_text("deleted with everything in it 10 minutes")
    expect(meaning).to_be_hidden()
    page.get_by_label("Temporary").check()
    expect(meaning).to_be_visible()
    page.get_by_label("Your message").fill("Only for now")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Temporary", exact=True)).to_be_visible()
    expect(page.get_by_role("navigation").get_by_text("Only for now")).to_have_count(0)


def test_the_export_is_a_zip_to_save(page: Page) -> None:
    page.goto("/settings/privacy/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything").click()
    assert download.value.path().read_bytes()[:2] == b"PK"
