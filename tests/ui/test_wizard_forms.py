"""The panel without any script: a plain form that redirects, and comes back with all its values when refused."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Conversation
from askweb.providers.models import Provider
from questions.asking import ask_person
from questions.models import Origin, QuestionSet
from questions.panel import Panel, panel_of
from questions.shapes import Option, Question

pytestmark = pytest.mark.django_db

QUESTIONS = (
    Question(
        "target", "Target", "Where **to**? <b>&amp;", (Option("Staging (Recommended)"), Option("Production"))
    ),
    Question(
        "checks", "Checks", "Which?", (Option("Unit"), Option("Lint"), Option("Types")), multi_select=True
    ),
)


@pytest.fixture
def asked(person: User) -> QuestionSet:
    conversation = Conversation.objects.create(user=person, title="Asked")
    return ask_person(QUESTIONS, seconds=900, user=person, conversation=conversation, source=Origin.API)


def post(client: Client, asked: QuestionSet, **fields: object) -> tuple[int, Panel | None]:
    response = client.post(reverse("question-set-answer", args=[asked.pk]), {"act": "answer", **fields})
    asked.refresh_from_db()
    return response.status_code, response.context and response.context.get("panel")


def test_all_questions_are_on_the_conversations_page_above_the_composer(
    browser_of: Client, asked: QuestionSet
) -> None:
    page = browser_of.get(reverse("conversation", args=[asked.conversation_id])).content.decode()
    assert page.index("Where <strong>to</strong>?") < page.index("Which?") < page.index('id="composer"')
    assert "<b>" not in page


def test_an_answer_leads_back_to_the_conversation(browser_of: Client, asked: QuestionSet) -> None:
    fields = {"q-target": "0", "q-checks": ["1", "other"], "q-checks-other": "By\r\nhand", "comment": "So"}
    assert post(browser_of, asked, **fields)[0] == HTTPStatus.FOUND
    assert [each.value for each in asked.given()["target"]] == ["Staging (Recommended)"]
    assert [each.value for each in asked.given()["checks"]] == ["Lint", "By\nhand"]
    assert (asked.comment, asked.surface) == ("So", "control_ui")


def test_what_is_typed_and_not_checked_is_not_sent(browser_of: Client, asked: QuestionSet) -> None:
    post(browser_of, asked, **{"q-target": "1", "q-target-other": "Nowhere"})
    assert [each.value for each in asked.given()["target"]] == ["Production"]


def test_a_refused_form_comes_back_with_all_its_values(browser_of: Client, asked: QuestionSet) -> None:
    status, panel = post(browser_of, asked, **{"q-target-other": "<Half> a thought"})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert panel is not None
    assert panel.questions[0].other == "<Half> a thought"
    assert asked.is_pending


def test_the_same_form_twice_is_the_same_answer(browser_of: Client, asked: QuestionSet) -> None:
    fields = {"q-target": "0", "nonce": "n"}
    assert [post(browser_of, asked, **fields)[0] for _twice in range(2)] == [HTTPStatus.FOUND] * 2


def test_skip_and_more_time_are_buttons_of_the_form(browser_of: Client, asked: QuestionSet) -> None:
    before = asked.expires_at
    assert post(browser_of, asked, act="extend")[0] == HTTPStatus.FOUND
    assert asked.expires_at == before + timedelta(seconds=300)
    post(browser_of, asked, act="skip")
    assert asked.status == "skipped"


def test_more_time_keeps_what_is_chosen_and_typed(browser_of: Client, asked: QuestionSet) -> None:
    post(browser_of, asked, act="extend", **{"q-target": "1", "q-checks-other": "Half a thought"})
    page = browser_of.get(reverse("question-set", args=[asked.pk]))
    target, checks = page.context["panel"].questions
    assert [each.index for each in target.choices if each.chosen] == [1]
    assert (checks.other, checks.other_chosen) == ("Half a thought", False)


def test_a_skip_asks_once_when_something_was_typed(browser_of: Client, asked: QuestionSet) -> None:
    typed = {"q-target-other": "Half a thought"}
    status, panel = post(browser_of, asked, act="skip", **typed)
    assert panel is not None
    assert (status, panel.questions[0].other, asked.status) == (HTTPStatus.OK, "Half a thought", "pending")
    assert post(browser_of, asked, act="really-skip", **typed)[0] == HTTPStatus.FOUND
    assert asked.status == "skipped"


def test_after_its_time_the_typed_text_can_still_be_copied(browser_of: Client, asked: QuestionSet) -> None:
    QuestionSet.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    fields = {"act": "answer", "q-target": "other", "q-target-other": "Too late"}
    response = browser_of.post(reverse("question-set-answer", args=[asked.pk]), fields)
    assert response.status_code == HTTPStatus.CONFLICT
    assert response.context["typed"] == "Too late"


@pytest.mark.parametrize("value", ["9" * 5000, "7", "1" + "0" * 5000])
def test_an_option_that_there_is_not_is_refused(browser_of: Client, asked: QuestionSet, value: str) -> None:
    status, panel = post(browser_of, asked, **{"q-target": value, "comment": "Kept"})
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert panel is not None
    assert (panel.comment, asked.is_pending) == ("Kept", True)


@pytest.mark.parametrize(
    ("entry", "chosen", "other"),
    [
        ({"options": 5}, [], ("", False)),
        ({"options": [99, -1, True, None, [0], 1]}, [1], ("", False)),
        ({"options": [1, 0, 0], "other_checked": True}, [0], ("", False)),
        ({"options": {"a": 1}, "other": {"b": 2}, "other_checked": "yes"}, [], ("", False)),
        ({"other": "typed"}, [], ("typed", True)),
        ("nonsense", [], ("", False)),
    ],
)
def test_of_a_draft_that_was_never_checked_what_makes_sense_is_shown(
    browser_of: Client, asked: QuestionSet, entry: object, chosen: list[int], other: tuple[str, bool]
) -> None:
    QuestionSet.objects.update(draft={"answers": {"target": entry}, "comment": "", "step": 0})
    for address in (("question-set", asked.pk), ("conversation", asked.conversation_id)):
        response = browser_of.get(reverse(address[0], args=[address[1]]))
        assert response.status_code == HTTPStatus.OK
    [target, _checks] = panel_of(QuestionSet.objects.get()).questions
    assert [each.index for each in target.choices if each.chosen] == chosen
    assert (target.other, target.other_chosen) == other


def test_a_suggestion_is_a_button_of_the_form(browser_of: Client, person: User) -> None:
    question = Question("followup", "Question", "Which?", (Option("a.py"), Option("b.py")))
    conversation = Conversation.objects.create(user=person)
    where = {"user": person, "conversation": conversation, "source": Origin.XML}
    asked = ask_person([question], seconds=900, **where)
    response = browser_of.post(
        reverse("question-set-answer", args=[asked.pk]), {"q-followup": "1", "act": ""}
    )
    asked.refresh_from_db()
    assert response.status_code == HTTPStatus.FOUND
    assert [each.value for each in asked.given()["followup"]] == ["b.py"]


def test_the_summary_marks_what_was_not_answered(browser_of: Client, asked: QuestionSet) -> None:
    post(browser_of, asked, **{"q-target": "0"})
    [summary] = (
        browser_of.get(reverse("conversation", args=[asked.conversation_id]))
        .context["transcript"]
        .asked_first
    )
    assert [(line.header, line.said) for line in summary.lines] == [
        ("Target", "Staging"),
        ("Checks", "not answered"),
    ]


def test_what_is_pending_is_listed(browser_of: Client, asked: QuestionSet) -> None:
    address = reverse("question-sets")
    assert "Where to?" in browser_of.get(address).content.decode()
    post(browser_of, asked, act="skip")
    assert "Nothing is being asked" in browser_of.get(address).content.decode()


@pytest.mark.parametrize("name", ["question-set", "question-set-panel", "question-set-summary"])
def test_another_persons_questions_are_not_there(asked: QuestionSet, other_person: User, name: str) -> None:
    stranger = Client()
    stranger.force_login(other_person)
    assert stranger.get(reverse(name, args=[asked.pk])).status_code == HTTPStatus.NOT_FOUND
    answer = reverse("question-set-answer", args=[asked.pk])
    assert stranger.post(answer, {"act": "skip"}).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("posted", ["x", "9", "-1", "²"])
def test_nonsense_in_a_form_is_refused(browser_of: Client, asked: QuestionSet, posted: str) -> None:
    assert post(browser_of, asked, **{"q-target": posted})[0] == HTTPStatus.UNPROCESSABLE_ENTITY


def test_below_questions_the_composer_answers_them(browser_of: Client, asked: QuestionSet) -> None:
    place = reverse("conversation", args=[asked.conversation_id])
    posted = browser_of.post(place, {"text": "1. Production\r\n2. Lint", "tool": "ask", "pending": "answer"})
    asked.refresh_from_db()
    assert (posted.status_code, asked.status) == (HTTPStatus.FOUND, "answered")
    assert [each.value for each in asked.given()["target"]] == ["Production"]


def test_or_it_skips_them_and_sends(browser_of: Client, asked: QuestionSet, provider: Provider) -> None:
    place = reverse("conversation", args=[asked.conversation_id])
    browser_of.post(place, {"text": "Never mind", "tool": "ask", "pending": "skip"})
    asked.refresh_from_db()
    assert asked.status == "cancelled"
    assert asked.conversation.messages.get(role="user").content == "Never mind"
