"""The page from which one gets the extension."""

import io
import json
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_page_tells_the_address_to_pair_with(browser_of: Client) -> None:
    page = browser_of.get("/settings/extension/").content.decode()
    assert f'value="{settings.ASKWEB_URL}"' in page
    assert "/settings/extension/askweb-extension.zip" in page


def test_the_download_is_the_extension(browser_of: Client) -> None:
    response = browser_of.get("/settings/extension/askweb-extension.zip")
    assert response["Content-Disposition"] == 'attachment; filename="askweb-extension.zip"'
    archive = ZipFile(io.BytesIO(b"".join(response.streaming_content)))  # type: ignore[attr-defined]
    assert json.loads(archive.read("askweb/manifest.json"))["name"] == "AskWeb"
    assert archive.testzip() is None
