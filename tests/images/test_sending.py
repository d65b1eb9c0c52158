"""Messages refer to images; what is sent holds them."""

from base64 import b64encode
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from askweb.accounts.models import User
from askweb.ids import new_id
from askweb.images.models import Image
from askweb.images.sending import GONE, image_part, read_image_ids, with_image_data

pytestmark = pytest.mark.django_db

TEXT = {"type": "text", "text": "What is this?"}
ELSEWHERE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


def asking(*parts: object) -> dict[str, Any]:
    return {"role": "user", "content": [TEXT, *parts]}


def data_url(image: Image) -> str:
    return f"data:image/png;base64,{b64encode(bytes(image.data)).decode()}"


def test_a_part_refers_to_its_image() -> None:
    id_ = new_id()
    assert image_part(id_) == {"type": "image_url", "image_url": {"url": f"askweb:image/{id_}"}}


def test_a_reference_becomes_the_data(person: User, image: Image) -> None:
    sent = with_image_data([asking(image_part(image.pk))], person.pk)
    assert sent == [asking({"type": "image_url", "image_url": {"url": data_url(image)}})]


def test_what_else_the_part_says_is_kept(person: User, image: Image) -> None:
    part = {"type": "image_url", "image_url": {"url": f"askweb:image/{image.pk}", "detail": "low"}, "more": 1}
    sent: Any = with_image_data([asking(part)], person.pk)
    assert sent[0]["content"][1]["image_url"]["detail"] == "low"
    assert sent[0]["content"][1]["more"] == 1


def test_the_messages_that_came_in_stay_as_they_were(person: User, image: Image) -> None:
    messages = [asking(image_part(image.pk))]
    before = deepcopy(messages)
    with_image_data(messages, person.pk)
    assert messages == before


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "askweb:image/1"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "user"},
        asking(ELSEWHERE),
        asking({"type": "text", "text": "askweb:image/1"}),
        asking({"type": "image_url", "image_url": "askweb:image/1"}, {"type": "image_url"}, "odd", None),
    ],
)
def test_a_message_without_a_reference_is_the_same_object(
    person: User, image: Image, message: dict[str, object]
) -> None:
    alone = with_image_data([message], person.pk)
    beside = with_image_data([message, asking(image_part(image.pk))], person.pk)
    assert alone[0] is beside[0] is message


@pytest.mark.parametrize("url", [f"askweb:image/{UUID(int=1)}", "askweb:image/", "askweb:image/no-id"])
def test_an_image_that_is_gone_becomes_words(person: User, url: str) -> None:
    sent = with_image_data([asking({"type": "image_url", "image_url": {"url": url}})], person.pk)
    assert sent == [asking({"type": "text", "text": GONE})]


def test_an_image_of_another_person_is_never_sent(person: User, others_image: Image) -> None:
    sent = with_image_data([asking(image_part(others_image.pk))], person.pk)
    assert sent == [asking({"type": "text", "text": "[image no longer available]"})]


@pytest.mark.parametrize(("images", "queries"), [(0, 0), (1, 1), (4, 1)])
def test_one_query_reads_them_all(
    person: User,
    image: Image,
    django_assert_num_queries: DjangoAssertNumQueries,
    images: int,
    queries: int,
) -> None:
    messages = [asking(image_part(image.pk), image_part(new_id())) for _ in range(images)]
    with django_assert_num_queries(queries):
        with_image_data(messages, person.pk)


def test_posted_ids_are_read(person: User, image: Image) -> None:
    assert read_image_ids([str(image.pk)], person) == [image.pk]


def test_an_id_twice_is_one_image(person: User, image: Image) -> None:
    assert read_image_ids([str(image.pk), str(image.pk)], person) == [image.pk]


@pytest.mark.parametrize("value", [None, []])
def test_no_images_are_no_images(person: User, value: object) -> None:
    assert read_image_ids(value, person) == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("one", "Images are a list of ids."),
        ({}, "Images are a list of ids."),
        (["one"], "Images are a list of ids, and one of these is none."),
        ([7], "Images are a list of ids, and one of these is none."),
        ([[]], "Images are a list of ids, and one of these is none."),
        ([str(new_id())], "One of these images isn't there, or it is not yours. Post it again."),
        ([str(new_id())] * 5, "At most 4 images go with one message."),
    ],
)
def test_what_is_no_list_of_their_images_is_told(person: User, value: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_image_ids(value, person)


def test_anothers_image_can_not_be_named(person: User, image: Image, others_image: Image) -> None:
    with pytest.raises(ValueError, match="not yours"):
        read_image_ids([str(image.pk), str(others_image.pk)], person)
