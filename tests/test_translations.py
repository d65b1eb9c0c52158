"""Every text of the interface is there in all four languages, and what is compiled is what is written."""

import re
import shutil
import subprocess
from gettext import GNUTranslations
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.utils.translation import to_locale

from askweb.accounts.models import User
from tests.required import PROJECT

LOCALES = [to_locale(code) for code, _name in settings.LANGUAGES if code != "en"]
SOURCES = ("askweb", "prompts", "questions", "templates")


@pytest.fixture(scope="session")
def xgettext() -> str:
    return shutil.which("xgettext") or pytest.skip("gettext: not installed")


@pytest.fixture(scope="session")
def texts(xgettext: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All texts that are in the sources now, as a template for translators."""
    folder = tmp_path_factory.mktemp("texts")
    for name in SOURCES:
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc"))
    (folder / "locale").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(settings, "LOCALE_PATHS", [str(folder / "locale")])
        call_command("makemessages", locale=["vi"], keep_pot=True, verbosity=0)
    return folder / "locale" / "django.pot"


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_untranslated(texts: Path, locale: str) -> None:
    """`make messages` takes up new ones."""
    translated = PROJECT / "locale" / locale / "LC_MESSAGES" / "django.po"
    result = subprocess.run(["msgcmp", translated, texts], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_compiled_is_what_is_written(xgettext: str, tmp_path: Path, locale: str) -> None:
    folder = PROJECT / "locale" / locale / "LC_MESSAGES"
    fresh = tmp_path / "django.mo"
    subprocess.run(["msgfmt", "--check-format", "-o", fresh, folder / "django.po"], check=True)
    assert catalogue(folder / "django.mo") == catalogue(fresh)


def catalogue(path: Path) -> dict[object, str]:
    with path.open("rb") as file:
        found = vars(GNUTranslations(file))["_catalog"]
    return {key: text for key, text in found.items() if key}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("zh-hans", "新对话"), ("ja", "新しい会話"), ("vi", "Cuộc trò chuyện mới")]
)
def test_a_page_speaks_the_language_of_the_browser(
    client: Client, person: User, language: str, words: str
) -> None:
    client.force_login(person)
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert words in page
    assert re.search(f'<html lang="{language}"', page, re.IGNORECASE)
