"""Keys at rest, and encrypting them anew."""

import stat

import pytest
from django.core.management import call_command

from askweb.providers import keys, rotating
from askweb.providers.errors import ProviderError
from askweb.providers.keys import decrypt, encrypt
from askweb.providers.models import Provider
from askweb.providers.rotating import rotate_keys

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    settings.ASKWEB_PROVIDER_KEYS = []
    return tmp_path


@pytest.fixture
def stored(person):
    """Two providers with keys, and one without."""
    rows = [Provider(user=person, slug=slug, name=slug) for slug in ("one", "two", "none")]
    for row in rows[:2]:
        row.api_key = f"sk-{row.slug}"
    return Provider.objects.bulk_create(rows)


def all_keys():
    return {row.slug: row.api_key for row in Provider.objects.all()}


EVERYTHING = {"one": "sk-one", "two": "sk-two", "none": ""}


def test_a_key_is_not_stored_in_clear(stored):
    assert "sk-one" not in Provider.objects.get(slug="one").encrypted_key


def test_the_file_with_the_secret_is_its_owners_alone(folder):
    encrypt("sk-1")
    assert stat.S_IMODE((folder / "provider_key").stat().st_mode) == 0o600


def test_rotating_encrypts_every_key_under_a_new_secret(stored, folder):
    secret_before = (folder / "provider_key").read_text()
    before = Provider.objects.get(slug="one").encrypted_key
    assert (rotate_keys().count, all_keys()) == (2, EVERYTHING)
    (folder / "provider_key").write_text(secret_before)
    assert decrypt(before) == "sk-one"
    with pytest.raises(ProviderError):
        all_keys()


def test_after_rotating_the_file_is_still_its_owners_alone(stored, folder):
    rotate_keys()
    assert stat.S_IMODE((folder / "provider_key").stat().st_mode) == 0o600
    assert [each.name for each in folder.iterdir()] == ["provider_key"]


def test_old_secrets_go_in_time(stored, folder):
    first = (folder / "provider_key").read_text()
    for _ in range(3):
        rotate_keys()
    assert first not in (folder / "provider_key").read_text()
    assert all_keys() == EVERYTHING


def test_rotating_under_secrets_of_the_environment_uses_the_newest(stored, settings):
    settings.ASKWEB_PROVIDER_KEYS = ["old"]
    rotate_keys()
    settings.ASKWEB_PROVIDER_KEYS = ["new", "old"]
    assert rotate_keys().count == 2
    settings.ASKWEB_PROVIDER_KEYS = ["new"]
    assert all_keys() == EVERYTHING


def test_a_key_that_nothing_opens_is_left_and_named(stored):
    Provider.objects.filter(slug="two").update(encrypted_key="nonsense")
    rotated = rotate_keys()
    assert (rotated.count, rotated.unreadable) == (1, ["two"])


@pytest.mark.parametrize("after", [0, 1])
def test_an_interrupted_rotation_loses_nothing_and_can_be_repeated(stored, monkeypatch, after):
    again, done = keys.encrypt_again, []

    def interrupted(encrypted):
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(encrypted)
        return again(encrypted)

    monkeypatch.setattr(rotating, "encrypt_again", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rotate_keys()
    assert all_keys() == EVERYTHING
    monkeypatch.undo()
    assert (rotate_keys().count, all_keys()) == (2, EVERYTHING)


def test_a_key_that_a_running_server_encrypts_meanwhile_can_be_read(stored, monkeypatch):
    saved = encrypt("sk-late")  # under the secret of before, and committed after
    rotate_keys()
    assert decrypt(saved) == "sk-late"


def test_the_command_says_how_many(stored, capsys):
    call_command("rotate_provider_keys")
    assert capsys.readouterr().out == "Encrypted 2 keys again.\n"
