"""The path from a message back to the first one, of which only as much is read as is asked for."""

from itertools import islice
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from askweb.accounts.models import User
from askweb.conversations.models import FIRST_LOT, Conversation, Message
from askweb.conversations.transcript import read_transcript

pytestmark = pytest.mark.django_db

LENGTH = 4 * FIRST_LOT


@pytest.fixture
def conversation(person: User) -> Conversation:
    return Conversation.objects.create(user=person, title="Tides")


def say(conversation: Conversation, parent: Message | None, length: int) -> list[Message]:
    """So many messages, each after the other."""
    rows: list[Message] = []
    for number in range(length):
        before = rows[-1] if rows else parent
        rows.append(Message(conversation=conversation, parent=before, role="user", content=f"Words {number}"))
    Message.objects.bulk_create(rows)
    return rows


def back_from(message: Message) -> list[UUID]:
    return list(message.conversation.path_back(message.pk))


def test_it_ends_with_the_first_message(conversation: Conversation) -> None:
    rows = say(conversation, None, LENGTH)
    assert back_from(rows[-1]) == [row.pk for row in reversed(rows)]


def test_it_passes_by_any_number_of_other_branches(conversation: Conversation) -> None:
    root, below = say(conversation, None, 2)
    say(conversation, root, LENGTH)
    newest = say(conversation, below, 1)[0]
    assert back_from(newest) == [newest.pk, below.pk, root.pk]


def test_without_a_message_it_is_empty(conversation: Conversation) -> None:
    assert list(conversation.path_back(None)) == []


def test_a_message_of_another_conversation_has_no_path(conversation: Conversation, person: User) -> None:
    other = say(Conversation.objects.create(user=person), None, 1)[0]
    assert list(conversation.path_back(other.pk)) == []


def test_the_newest_of_many_take_one_query(
    conversation: Conversation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    newest = say(conversation, None, LENGTH)[-1]
    with django_assert_num_queries(1):
        assert len(list(islice(conversation.path_back(newest.pk), FIRST_LOT))) == FIRST_LOT


def test_what_is_earlier_than_a_message_led_to_it(person: User, conversation: Conversation) -> None:
    root, old = say(conversation, None, 2)
    conversation.head = say(conversation, root, 1)[0]
    transcript = read_transcript(person, conversation, old.pk)
    assert [entry.message for entry in transcript.entries] == [root]
    assert not transcript.is_newest
