"""Question sets on the live server, and where the page shows them."""

import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.required import PROJECT
from tests.stand_ins.server import LiveServer

TARGET = {
    "id": "deploy_target",
    "header": "Target",
    "question": "Where should **this release** go?",
    "options": [
        {"label": "Staging (Recommended)", "description": "A copy that nobody depends on."},
        {"label": "Production"},
        {"label": "Nowhere"},
    ],
}
CHECKS = {
    "id": "checks",
    "header": "Checks",
    "question": "Which checks must pass first?",
    "multiSelect": True,
    "options": [{"label": "Unit tests"}, {"label": "Lint"}, {"label": "Types"}],
}
NOTE = {
    "id": "note",
    "header": "说明",
    "question": "هل تريد المتابعة؟",
    "options": [{"label": "نعم 👍"}, {"label": "W" * 64, "description": "word" * 120}],
}
THREE = (TARGET, CHECKS, NOTE)
EXPIRE = "from questions.models import *; QuestionSet.objects.filter(pk={!r}).update(expires_at='2020-01-01T00:00Z')"
AXE = PROJECT / "tests" / "vendor" / "axe-core" / "axe.min.js"


def ask(live: LiveServer, *questions: dict[str, Any], **more: object) -> Any:
    """The set of these questions, in a conversation of its own unless one is given."""
    answer = live.post("/api/questions/", {"questions": list(questions or [TARGET]), **more})
    assert answer.status == 201, answer.body
    return answer.json


def ask_on(page: Page, live: LiveServer, *questions: dict[str, Any]) -> Any:
    """Likewise, and open it on the page."""
    asked = ask(live, *questions)
    page.goto(f"/conversations/{asked['conversation']}/")
    expect(panel(page)).to_have_attribute("data-state", "open")
    return asked


def expire(live: LiveServer, asked: Any) -> None:
    """As if its time were over; whoever reads it next ends it."""
    live.manage("shell", "-v0", "-c", EXPIRE.format(asked["id"]))
    stored(live, asked)


def stored(live: LiveServer, asked: Any) -> Any:
    return live.get(f"/api/questions/{asked['id']}/").json


def panel(page: Page) -> Locator:
    return page.locator("question-panel")


def button(page: Page, name: str) -> Locator:
    return panel(page).get_by_role("button", name=name, exact=True)


def other(page: Page) -> Locator:
    """The radio or checkbox of the own answer."""
    return (
        panel(page).get_by_role("checkbox", name="Other").or_(panel(page).get_by_role("radio", name="Other"))
    )


def own_answer(page: Page) -> Locator:
    return panel(page).get_by_role("textbox", name=re.compile("your own answer$", re.IGNORECASE))


def composer(page: Page) -> Locator:
    return page.get_by_label("Your message")


def outcome(page: Page) -> Locator:
    return page.locator("[data-part=outcome]")


def announced(page: Page) -> Locator:
    return page.locator("[data-part=announcer]")


def faults(page: Page, *within: str) -> Sequence[str]:
    """What axe-core finds wrong, in a line each."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("within => axe.run(within.length ? { include: within } : document)", list(within))
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]
