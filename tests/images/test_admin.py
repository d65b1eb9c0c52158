"""Staff see what there is and how large, and the database is not asked for the data."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from askweb.accounts.models import User
from askweb.images.models import Image

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client, person: User) -> Client:
    client.force_login(person)
    return client


@pytest.fixture
def queries(staff: Client, image: Image) -> Iterator[CaptureQueriesContext]:
    with CaptureQueriesContext(connection) as captured:
        yield captured


@pytest.mark.parametrize("path", ["", "?q=a", "{id}/change/", "{id}/delete/"])
def test_the_data_are_never_loaded(
    staff: Client, image: Image, queries: CaptureQueriesContext, path: str
) -> None:
    assert staff.get(f"/admin/images/image/{path.format(id=image.pk)}").status_code == 200
    asked: list[Any] = [each["sql"] for each in queries if '"images_image"' in each["sql"]]
    assert asked
    assert not [sql for sql in asked if '"images_image"."data"' in sql]


def test_the_list_reads_nothing_that_stands_behind_the_data(
    staff: Client, queries: CaptureQueriesContext
) -> None:
    staff.get("/admin/images/image/")
    assert not [each["sql"] for each in queries if '"images_image"."created"' in each["sql"]]


@pytest.mark.parametrize(("words", "count"), [("{name}", 1), ("{digest}", 1), ("nobody", 0)])
def test_images_are_found_by_their_person_or_digest(
    staff: Client, image: Image, words: str, count: int
) -> None:
    typed = words.format(name=image.user.get_username(), digest=image.digest)
    assert f"{count} result" in staff.get(f"/admin/images/image/?q={typed}").content.decode()


def test_an_image_can_be_deleted(staff: Client, image: Image) -> None:
    staff.post(f"/admin/images/image/{image.pk}/delete/", {"post": "yes"})
    assert not Image.objects.exists()


def test_none_can_be_added(staff: Client) -> None:
    assert staff.get("/admin/images/image/add/").status_code == 403
