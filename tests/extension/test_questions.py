"""Questions in the panel: stacked cards, the same component as the Control UI's, over the worker's network."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.extension.test_panel import ask, log, newest
from tests.stand_ins.server import LiveServer
from tests.ui.asked import CHECKS, TARGET, faults, stored
from tests.ui.asked import ask as put


@pytest.fixture
def asked(panel: Page, live: LiveServer) -> Any:
    """Two questions in the conversation that the panel shows."""
    ask(panel, "Release it")
    expect(log(panel)).to_contain_text("Fine.")
    return put(live, TARGET, CHECKS, conversation=newest(live)[0]["conversation"])


def cards(panel: Page) -> Locator:
    return panel.locator("askweb-question-cards")


def test_they_are_cards_below_each_other(panel: Page, asked: Any) -> None:
    expect(cards(panel).locator("fieldset")).to_have_count(2)
    expect(cards(panel).get_by_role("button", name="Submit")).to_have_count(1)


def test_an_answer_is_stored_and_the_cards_go(panel: Page, live: LiveServer, asked: Any) -> None:
    cards(panel).get_by_label("Staging").check()
    cards(panel).get_by_label("Lint").check()
    cards(panel).get_by_role("button", name="Submit").click()
    expect(cards(panel)).to_have_count(0)
    answered = stored(live, asked)
    assert answered["answers"]["checks"] == [{"value": "Lint", "source": "option", "index": 1}]
    assert answered["resolved_by"]["surface"] == "extension"


def test_their_words_are_in_sight_however_long_they_are(panel: Page, asked: Any) -> None:
    panel.set_viewport_size({"width": 360, "height": 480})
    expect(cards(panel).locator("legend").first).to_be_in_viewport()
    expect(cards(panel).get_by_role("button", name="Submit")).not_to_be_in_viewport()


def test_a_draft_is_kept_on_the_server(panel: Page, live: LiveServer, asked: Any) -> None:
    cards(panel).get_by_label("Nowhere").check()
    panel.wait_for_timeout(1000)
    assert stored(live, asked)["draft"]["answers"]["deploy_target"]["options"] == [2]


def test_what_is_answered_elsewhere_closes_them(panel: Page, live: LiveServer, asked: Any) -> None:
    expect(cards(panel)).to_be_visible()
    body = {"client_id": "x", "answers": {"deploy_target": {"options": [1], "other": None}}}
    assert live.post(f"/api/questions/{asked['id']}/answer/", body).status == 200
    expect(cards(panel)).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panel_has_no_faults_of_accessibility(panel: Page, asked: Any, scheme: str) -> None:
    panel.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    panel.set_viewport_size({"width": 360, "height": 720})
    expect(cards(panel)).to_be_visible()
    assert faults(panel) == []
    assert panel.evaluate("document.documentElement.scrollWidth <= innerWidth")
