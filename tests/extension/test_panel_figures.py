"""Formulas in the panel are set with its own copy of KaTeX; images come through the worker, and none from elsewhere."""

import re
import secrets
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.extension.test_panel import ask, log, newest
from tests.extension.test_panel_replies import replies, text
from tests.images.pictures import drawn, written
from tests.stand_ins import sse
from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream
from tests.ui.test_formulas import STYLED

FONTS = "() => [...document.fonts].filter(each => each.status === 'loaded').map(each => each.family.replaceAll('\"', ''))"
SIZE = "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"


@pytest.fixture
def refused(panel: Page) -> list[str]:
    """What the pages' policy has refused so far."""
    refused: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            refused.append(message.text)

    panel.on("console", note)
    return refused


def formulas(panel: Page) -> Locator:
    return text(panel).locator(".math")


def upload(live: LiveServer) -> Any:
    """The id of a small image of the person's."""
    mark = secrets.token_hex(8)
    form = f'--{mark}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'.encode()
    body = form + written(drawn(), "PNG") + f"\r\n--{mark}--\r\n".encode()
    kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    return live.request("POST", "/api/images/", body, **kind).json["id"]


def test_formulas_are_set_in_their_fonts(panel: Page, upstream: Upstream, refused: list[str]) -> None:
    upstream.will_send(
        *sse.reply("So $x^2$ it is:\n\n$$\\int_0^1 x\\,dx$$\n\n", *(f"${each}$\n\n" for each in STYLED))
    )
    ask(panel, "How much?")
    expect(formulas(panel)).to_have_count(2 + len(STYLED))
    for formula in formulas(panel).all():
        expect(formula).to_have_attribute("data-formula", "set")
    assert {"KaTeX_Main", "KaTeX_Math"} <= set(panel.evaluate(FONTS))
    assert refused == []


def test_a_formula_that_is_broken_stays_as_it_is_written(panel: Page, upstream: Upstream) -> None:
    upstream.will_send(*sse.reply("Here: $\\frac{1$"))
    ask(panel, "How much?")
    expect(formulas(panel)).to_have_attribute("data-formula", "broken")
    expect(formulas(panel)).to_have_text("\\frac{1")
    expect(formulas(panel)).to_have_attribute(
        "title", re.compile("^This formula can't be set: Unexpected end")
    )


def test_images_that_went_along_are_shown(
    panel: Page, live: LiveServer, provider: str, refused: list[str]
) -> None:
    ask(panel, "Here")
    expect(log(panel)).to_contain_text("Fine.")
    images = [upload(live), upload(live)]
    live.ask(provider, "What is this?", conversation=newest(live)[0]["conversation"], images=images)
    shown = log(panel).get_by_role("img")
    expect(shown).to_have_count(2)
    expect(shown.last).to_have_attribute("alt", "Image 2 of 2")
    expect(shown.last).to_have_attribute("src", re.compile("^data:image/png;base64,"))
    assert shown.last.evaluate(SIZE) == [32, 16]
    assert refused == []


def test_an_image_opens_in_a_tab(panel: Page, live: LiveServer, provider: str) -> None:
    ask(panel, "Here")
    expect(log(panel)).to_contain_text("Fine.")
    image = upload(live)
    live.ask(provider, "What is this?", conversation=newest(live)[0]["conversation"], images=[image])
    with panel.context.expect_page() as opened:
        log(panel).get_by_role("img").click()
    assert opened.value.url == f"{live.url}/api/images/{image}/"


def test_no_image_of_a_reply_is_loaded_from_elsewhere(
    panel: Page, upstream: Upstream, refused: list[str]
) -> None:
    upstream.will_send(*sse.reply("See ![the tide](http://127.0.0.1:9/tide.png)."))
    ask(panel, "Show me")
    expect(replies(panel)).to_contain_text("the tide")
    expect(replies(panel).get_by_role("img")).to_have_count(0)
    assert refused == []
