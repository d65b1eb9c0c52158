from typing import Any

import pytest
from django.test.client import Client
from rest_framework.test import APIClient

from askweb.accounts.models import User
from askweb.providers.models import Provider
from askweb.runs.models import Run

POST = {"messages": [{"role": "user", "content": "Why?"}]}


@pytest.fixture(autouse=True)
def shared(provider: Provider) -> Provider:
    """One provider for all; nothing listens at its address, so runs stay queued."""
    Provider.objects.filter(pk=provider.pk).update(user=None)
    return provider


def limit(person: User, **limits: int | None) -> None:
    User.objects.filter(pk=person.pk).update(**{f"limit_{name}": value for name, value in limits.items()})


def ask(api: APIClient | Client, **body: Any) -> Any:
    return api.post("/api/conversations/", {**POST, **body})


def end(*runs: str) -> None:
    """As if they were over: no engine runs here."""
    Run.objects.filter(**({"pk__in": runs} if runs else {})).update(state="completed")
