"""Finding providers that are there already: servers on this machine, and keys in the environment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from askweb.accounts.models import User
from askweb.providers.connecting import opened
from askweb.providers.endpoints import Endpoint
from askweb.providers.errors import ProviderError
from askweb.providers.listing import list_models
from askweb.providers.models import ModelInfo, Provider, Providers
from askweb.providers.presets import Preset, presets
from askweb.runs.database import in_database

logger = logging.getLogger(__name__)

LOOK = 2.0
"""Seconds that a server on this machine may take to answer."""


@dataclass(frozen=True)
class Found:
    preset: Preset
    models: Sequence[ModelInfo] = ()


async def look_around() -> list[Found]:
    """What can be connected without asking anybody for anything; takes at most `LOOK` seconds."""
    keys = [Found(preset) for preset in presets().values() if preset.environment_key]
    async with opened() as sessions:
        servers = [preset for preset in presets().values() if preset.finds_itself]
        answers = await asyncio.gather(*(_look_at(sessions.free, preset) for preset in servers))
    return [*(answer for answer in answers if answer is not None), *keys]


@transaction.atomic
def offer_found(found: Sequence[Found]) -> None:
    """Make them providers of the owner's, theirs alone, and no longer offer what is not there any more.

    What the owner has connected already, under its name or by its address, is left alone; what they shared since
    stays shared.
    """
    owner = User.objects.owner()
    for each in found:
        _offer(owner, each)
    there = [each.preset.slug for each in found]
    gone = _of(owner).filter(found=True, encrypted_key="").exclude(preset__in=there)
    gone.update(gone=True)


def find_now() -> None:
    """Look around and wait for what is found. Not for the event loop."""
    offer_found(async_to_sync(look_around)())


async def find_in_background() -> None:
    """Once, beside whatever else the process does."""
    if not settings.ASKWEB_FIND_PROVIDERS:
        return
    try:
        await in_database(offer_found, await look_around())
    except Exception:
        logger.exception("looking for providers on this machine failed")


async def _look_at(session: aiohttp.ClientSession, preset: Preset) -> Found | None:
    try:
        async with asyncio.timeout(LOOK):
            return Found(preset, await list_models(session, Endpoint(preset.base_url)))
    except (ProviderError, TimeoutError):
        return None


def _offer(owner: User, found: Found) -> None:
    preset = found.preset
    own = _of(owner).filter(found=False)
    if own.filter(Q(preset=preset.slug) | Q(base_url=preset.base_url) | Q(slug=preset.slug)).exists():
        return
    provider = _of(owner).filter(found=True, preset=preset.slug).first()
    if provider is None:
        provider = Provider(user=owner, slug=preset.slug, preset=preset.slug, found=True, name=preset.name)
        provider.base_url = preset.environment_address
    if found.models:
        provider.known_models = list(found.models)
    provider.default_model = provider.default_model or preset.default_model or _first_to_talk(found.models)
    provider.gone = False
    provider.save()


def _of(owner: User) -> Providers:
    return Provider.objects.filter(Q(user=owner) | Q(user=None))


def _first_to_talk(models: Sequence[ModelInfo]) -> str:
    talking = (each["id"] for each in models if "embed" not in each["id"].lower())
    return next(talking, "")
