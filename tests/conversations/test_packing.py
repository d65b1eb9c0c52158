"""Raw context is stored once, whoever posts it, and reads back equal."""

import json
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from askweb.accounts.models import User
from askweb.conversations.models import Content, ContextItem, Conversation, Message
from askweb.conversations.packing import TAKE_OUT, store_packed
from tests.threads import InThread, somebody_waits
from tests.waiting import until

LARGE = "找😀" * TAKE_OUT
OTHER = "x" * TAKE_OUT


def store(person: User, *values: Any) -> Conversation:
    conversation = Conversation.objects.create(user=person)
    message = Message.objects.create(conversation=conversation, role="user")
    store_packed(
        (ContextItem(message=message, position=position, kind="page"), value)
        for position, value in enumerate(values)
    )
    return conversation


def read(conversation: Conversation) -> list[Any]:
    return [item.value() for item in ContextItem.objects.filter(message__conversation=conversation)]


@pytest.mark.parametrize(
    "value",
    [
        {"b": 1, "a": {"z": [], "y": {}}, "10": None, "9": [True, False]},
        {"n": [1, 1.0, -0.0, 1e5, 1e300, 0.1, 2**70, -(2**63), 5e-324]},
        {"": "", "a.b": {"0": LARGE}, "list": [{"0": [LARGE, "short", OTHER, LARGE]}]},
        {"text": "\u2028\u2029\x01\x7f\ufffd\ufeff'\"\\/\r\n"},
        {LARGE: 1},
        "x" * (TAKE_OUT - 1),
        LARGE,
    ],
    ids=[
        "order",
        "numbers",
        "nested large texts",
        "odd characters",
        "a large key",
        "just short",
        "only a text",
    ],
)
@pytest.mark.django_db
def test_a_value_reads_back_equal_with_order_and_types(person: User, value: Any) -> None:
    (found,) = read(store(person, value))
    assert json.dumps(found) == json.dumps(value)


@pytest.mark.django_db
def test_equal_large_texts_are_stored_once_whoever_posts_them(person: User, other_person: User) -> None:
    store(person, {"content": LARGE}, {"digest": LARGE, "content": OTHER})
    store(other_person, {"id": "else", "content": [LARGE]})
    assert Content.objects.count() == 2


@pytest.mark.django_db
def test_a_large_text_is_not_in_the_row_itself(person: User) -> None:
    store(person, {"content": LARGE})
    assert len(ContextItem.objects.get().body) < 50
    assert len(Content.objects.get().compressed) < len(LARGE) / 10


@pytest.mark.django_db
def test_a_content_goes_with_its_last_user(person: User, other_person: User) -> None:
    first, second = store(person, {"content": LARGE}), store(other_person, {"content": LARGE})
    first.remove()
    assert read(second) == [{"content": LARGE}]
    second.remove()
    assert not Content.objects.exists()


@pytest.mark.django_db
def test_contents_of_others_stay(person: User) -> None:
    store(person, {"content": OTHER})
    store(person, {"content": LARGE}).remove()
    assert [content.text() for content in Content.objects.all()] == [OTHER]


@pytest.mark.django_db
def test_storing_takes_as_many_queries_for_many_items_as_for_one(
    person: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    values = [{"content": f"{number}{LARGE}"} for number in range(30)]
    conversation = Conversation.objects.create(user=person)
    message = Message.objects.create(conversation=conversation, role="user")
    rows = [
        (ContextItem(message=message, position=at, kind="page"), value) for at, value in enumerate(values)
    ]
    with transaction.atomic(), django_assert_num_queries(3):
        store_packed(rows)


@pytest.mark.postgresql
def test_a_content_that_is_being_kept_is_not_removed(in_thread: InThread, person: User) -> None:
    old = store(person, {"content": LARGE})
    with transaction.atomic():
        new = store(person, {"content": LARGE})
        in_thread(old.remove)
        until("it waits for the row", somebody_waits)
    in_thread.join()
    assert read(new) == [{"content": LARGE}]


@pytest.mark.postgresql
def test_a_content_that_is_being_removed_is_stored_again(in_thread: InThread, person: User) -> None:
    old = store(person, {"content": LARGE})
    with transaction.atomic():
        old.remove()
        in_thread(lambda: store(person, {"content": LARGE}))
        until("it waits for the row", somebody_waits)
    in_thread.join()
    assert read(Conversation.objects.get()) == [{"content": LARGE}]
