"""What the server renders of a conversation."""

import json
from typing import Any, get_args

import pytest
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.conversations.models import Message
from askweb.conversations.outcomes import WORDS
from askweb.conversations.sent import read_sent
from askweb.images.cleaning import clean_image
from askweb.images.models import Image
from askweb.providers.errors import ErrorCode
from askweb.providers.models import Provider
from askweb.runs.models import ReplyChunk, Run
from tests.images.pictures import drawn, written

pytestmark = pytest.mark.django_db

IMPORTED = [("user", "Question {n}"), ("assistant", "Answer {n}")]


def post(api: APIClient, *turns: tuple[str, str], **envelope: Any) -> str:
    """The path of a new conversation of these turns."""
    messages = [{"role": role, "content": content} for role, content in turns]
    answer = api.post("/api/conversations/", {"messages": messages, **envelope})
    assert answer.status_code == 201, answer.content
    return f"/conversations/{answer.json()['conversation']['id']}/"


def shown(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def end(state: str, **fields: object) -> None:
    Run.objects.update(state="completed" if state == "complete" else state, **fields)
    Message.objects.filter(role="assistant").update(state=state)


def test_a_reply_shows_the_html_that_was_stored(browser_of: Client, api: APIClient) -> None:
    page = shown(browser_of, post(api, ("user", "Hi"), ("assistant", "**Bold** <script>alert(1)</script>")))
    assert "<strong>Bold</strong>" in page
    assert "<script>alert(1)" not in page


def test_a_persons_words_are_text(browser_of: Client, api: APIClient) -> None:
    page = shown(browser_of, post(api, ("user", "<b>&amp;"), ("assistant", "x")))
    assert "&lt;b&gt;&amp;amp;" in page


def test_a_reload_shows_the_reply_so_far(browser_of: Client, api: APIClient, provider: Provider) -> None:
    place = post(api, ("user", "Hi"))
    run = Run.objects.get()
    ReplyChunk.objects.create(run=run, message=run.reply, seq=1, content="So far <so> good")
    assert "So far &lt;so&gt; good" in shown(browser_of, place)


def test_while_an_answer_is_written_stop_stands_for_send(
    browser_of: Client, api: APIClient, provider: Provider
) -> None:
    run = browser_of.get(post(api, ("user", "Hi"))).context["active_run"]
    assert run == Run.objects.get().pk


@pytest.mark.parametrize("code", [*get_args(ErrorCode), "run.crashed", "run.interrupted", "provider.unknown"])
def test_every_failure_says_what_happened_and_what_to_do(
    browser_of: Client, api: APIClient, provider: Provider, code: str
) -> None:
    place = post(api, ("user", "Hi"))
    end("failed", code=code, error="Its <own> words")
    outcome = browser_of.get(place).context["transcript"].entries[-1].outcome
    assert (outcome.title, outcome.advice) == WORDS[code]
    assert "Its &lt;own&gt; words" in shown(browser_of, place)


def test_an_answer_that_was_cut_says_so(browser_of: Client, api: APIClient, provider: Provider) -> None:
    place = post(api, ("user", "Hi"))
    end("complete", finish="length")
    assert "The answer was cut off" in shown(browser_of, place)


def test_only_the_path_to_the_head_is_shown(browser_of: Client, api: APIClient, provider: Provider) -> None:
    place = post(api, ("user", "Root"), ("assistant", "Old branch"))
    root = Message.objects.get(role="user")
    body = {"meta": {"parent": str(root.pk)}, "messages": [{"role": "user", "content": "New branch"}]}
    api.post(f"/api{place}messages/", body)
    page = shown(browser_of, place)
    assert "New branch" in page
    assert "Old branch" not in page


def test_earlier_messages_are_one_link_away(browser_of: Client, api: APIClient) -> None:
    place = post(api, *[(role, text.format(n=n)) for n in range(30) for role, text in IMPORTED])
    newest = browser_of.get(place)
    assert newest.context["transcript"].entries[0].text == "Question 5"
    earlier = browser_of.get(place, {"before": str(newest.context["transcript"].earlier)})
    assert earlier.context["transcript"].entries[-1].text == "Answer 4"
    assert earlier.context["transcript"].earlier is None


def test_a_tool_is_named_and_the_plain_one_is_not(
    browser_of: Client, api: APIClient, provider: Provider
) -> None:
    explained = browser_of.get(post(api, ("user", "x"), meta={"tool": "explain"}))
    plain = browser_of.get(post(api, ("user", "x")))
    assert [page.context["transcript"].entries[0].tool for page in (explained, plain)] == ["Explain", ""]


def test_what_was_sent_can_be_read(browser_of: Client, api: APIClient, provider: Provider) -> None:
    post(api, ("user", "My <question>"))
    page = shown(browser_of, f"/messages/{Message.objects.get(role='assistant').pk}/sent/")
    assert "My &lt;question&gt;" in page
    assert "parrot" in page


def test_what_was_sent_shows_images_instead_of_references(
    browser_of: Client, api: APIClient, provider: Provider, person: User
) -> None:
    image = Image.objects.store(person, clean_image(written(drawn(), "PNG")))
    post(api, ("user", "What is this?"), meta={"images": [str(image.pk)]})
    page = shown(browser_of, f"/messages/{Message.objects.get(role='assistant').pk}/sent/")
    assert "What is this?</pre>" in page
    assert f'src="/api/images/{image.pk}/"' in page
    assert "image_url" not in page
    Image.objects.all().delete()
    page = shown(browser_of, f"/messages/{Message.objects.get(role='assistant').pk}/sent/")
    assert "askweb:image" in page


def test_what_was_sent_names_the_functions(browser_of: Client, api: APIClient, provider: Provider) -> None:
    post(api, ("user", "Hi"))
    Run.objects.update(asking="offered", options={"tools": [{"function": {"name": "look_up"}}]})
    page = shown(browser_of, f"/messages/{Run.objects.get().reply_id}/sent/")
    assert "look_up, ask_user" in page


def test_what_was_sent_shows_calls_as_they_were(person: User) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    (sent,) = read_sent(person, [{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert json.loads(sent.text) == [call]


def test_an_imported_message_was_not_sent(browser_of: Client, api: APIClient) -> None:
    post(api, ("user", "Hi"), ("assistant", "Ho"))
    page = shown(browser_of, f"/messages/{Message.objects.get(role='assistant').pk}/sent/")
    assert "it was imported" in page


def test_the_list_holds_the_persons_conversations_newest_first(
    browser_of: Client, api: APIClient, other_api: APIClient
) -> None:
    for client, text in ((api, "First"), (other_api, "Not mine"), (api, "Second")):
        post(client, ("user", text), ("assistant", "x"))
    listed = browser_of.get("/").context["listed"]
    assert [conversation.title for conversation in listed] == ["Second", "First"]


def test_older_conversations_are_one_link_away(browser_of: Client, api: APIClient, person: User) -> None:
    for n in range(51):
        post(api, ("user", f"Number {n}"), ("assistant", "x"))
    older = browser_of.get(f"/{browser_of.get('/').context['older']}")
    assert [conversation.title for conversation in older.context["listed"]] == ["Number 0"]


@pytest.mark.parametrize("query", ["?cursor=nonsense", "?before=nonsense"])
def test_a_broken_address_shows_the_conversation(browser_of: Client, api: APIClient, query: str) -> None:
    place = post(api, ("user", "Hi"), ("assistant", "Ho"))
    assert "Ho" in shown(browser_of, f"{place}{query}")
