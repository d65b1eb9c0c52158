"""Posting images as clients do."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.images.cleaning import clean_image
from askweb.images.models import Image
from tests.images.pictures import drawn, written

Post = Callable[..., Any]


@pytest.fixture
def post(api: APIClient) -> Post:
    """Post bytes as one file of a form."""

    def post(content: bytes, *, name: str = "a.png", field: str = "image") -> Any:
        return api.post("/api/images/", {field: SimpleUploadedFile(name, content)}, format="multipart")

    return post


@pytest.fixture
def image(person: User) -> Image:
    return Image.objects.store(person, clean_image(written(drawn(), "PNG")))


@pytest.fixture
def others_image(other_person: User) -> Image:
    return Image.objects.store(other_person, clean_image(written(drawn(), "PNG")))
