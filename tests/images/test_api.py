"""Posting an image over REST, and reading it again."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.ids import new_id
from askweb.images.cleaning import BYTES_LIMIT
from askweb.images.models import Image
from tests.images.conftest import Post
from tests.images.pictures import drawn, header_of_png, written

pytestmark = pytest.mark.django_db

FORM = "multipart/form-data; boundary=x"


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.mark.parametrize("field", ["image", "file"])
def test_a_posted_image_is_told_by_what_was_stored(post: Post, field: str) -> None:
    answer = post(written(drawn(), "JPEG"), name="a.jpg", field=field)
    row = Image.objects.get()
    assert answer.status_code == 201
    assert answer.json() == {
        "id": str(row.pk),
        "media_type": "image/jpeg",
        "width": 32,
        "height": 16,
        "size": len(bytes(row.data)),
    }


def test_what_counts_is_the_content_not_the_name(post: Post) -> None:
    assert post(written(drawn(), "WEBP"), name="a.png").json()["media_type"] == "image/webp"


def test_it_is_read_with_headers_that_let_nothing_run(api: APIClient, image: Image) -> None:
    answer = api.get(f"/api/images/{image.pk}/")
    assert (answer.status_code, answer.content) == (200, bytes(image.data))
    assert answer["Content-Type"] == "image/png"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


def test_a_client_may_accept_images_only(api: APIClient, image: Image) -> None:
    assert api.get(f"/api/images/{image.pk}/", headers={"accept": "image/png"}).status_code == 200


def test_a_missing_one_is_told_as_json_even_then(api: APIClient) -> None:
    answer = api.get(f"/api/images/{new_id()}/", headers={"accept": "image/png"})
    assert code_of(answer) == (404, "not_found")


def test_another_person_does_not_find_it(other_api: APIClient, image: Image) -> None:
    assert code_of(other_api.get(f"/api/images/{image.pk}/")) == (404, "not_found")


def test_the_control_ui_reads_it_with_its_cookie(client: Client, person: User, image: Image) -> None:
    client.force_login(person)
    assert client.get(f"/api/images/{image.pk}/").status_code == 200


def test_the_control_ui_posts_with_its_csrf_token(person: User) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(person)
    client.cookies["csrftoken"] = "a" * 32
    file = SimpleUploadedFile("a.png", written(drawn(), "PNG"))
    answer = client.post(
        "/api/images/", {"image": file}, headers={"x-csrftoken": "a" * 32}, format="multipart"
    )
    assert answer.status_code == 201


@pytest.mark.parametrize("length", [10, BYTES_LIMIT * 2])
def test_a_cookie_alone_posts_nothing(person: User, length: int) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(person)
    answer = client.post(
        "/api/images/", {"image": SimpleUploadedFile("a", b"x" * length)}, format="multipart"
    )
    assert answer.status_code in (403, 413)
    assert not Image.objects.exists()


@pytest.mark.parametrize(
    ("scopes", "posted", "read"), [(["ask"], 201, 403), (["read"], 403, 200), (["questions"], 403, 403)]
)
def test_a_device_needs_the_scope(
    person: User, api: APIClient, post: Post, image: Image, scopes: list[str], posted: int, read: int
) -> None:
    person.devices.update(scopes=scopes)
    assert post(written(drawn(), "PNG")).status_code == posted
    assert api.get(f"/api/images/{image.pk}/").status_code == read


def test_the_same_image_again_is_the_same_row(post: Post) -> None:
    first, second = (post(written(drawn(), "PNG")) for _ in range(2))
    assert first.json() == second.json()
    assert Image.objects.count() == 1


def test_the_same_image_of_another_person_is_another_row(post: Post, others_image: Image) -> None:
    assert post(written(drawn(), "PNG")).json()["id"] != str(others_image.pk)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        pytest.param(b"<svg/>", 422, "image.invalid", id="SVG"),
        pytest.param(b"", 422, "image.invalid", id="empty"),
        pytest.param(header_of_png(50_000, 50_000), 422, "image.too_many_pixels", id="bomb"),
        pytest.param(b"x" * (BYTES_LIMIT + 1), 413, "image.too_large", id="over the limit"),
        pytest.param(b"x" * (BYTES_LIMIT * 2), 413, "image.too_large", id="not even parsed"),
    ],
)
def test_what_is_refused_is_not_stored(post: Post, content: bytes, status: int, code: str) -> None:
    assert code_of(post(content)) == (status, code)
    assert not Image.objects.exists()


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (b"", FORM, 422, "image.invalid"),
        (
            b'--x\r\nContent-Disposition: form-data; name="image"\r\n\r\nno file\r\n--x--\r\n',
            FORM,
            422,
            "image.invalid",
        ),
        (b"--x\r\n", "multipart/form-data", 400, "form.broken"),
        (b"{}", "application/json", 415, "unsupported_media_type"),
        (b"\x89PNG", "image/png", 415, "unsupported_media_type"),
    ],
)
def test_what_is_no_form_with_a_file_is_told(
    api: APIClient, body: bytes, content_type: str, status: int, code: str
) -> None:
    assert code_of(api.generic("POST", "/api/images/", body, content_type)) == (status, code)
