"""The address of a sign-in link."""

from django.conf import settings
from django.urls import reverse

from askweb.accounts.models import User
from askweb.runs.data_folder import folder_lock


def sign_in_url(person: User) -> str:
    """The server that runs on this data folder knows its address better than this command's environment."""
    return (folder_lock.served_at() or settings.ASKWEB_URL) + reverse(
        "sign-in-link", args=[person.new_sign_in_link()]
    )
