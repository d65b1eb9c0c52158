"""Providers: OpenAI-compatible endpoints, each with the key a person gave for it."""

from typing import Self, TypedDict

from django.conf import settings
from django.db import models
from django.db.models import Q

from askweb.accounts.models import User
from askweb.ids import new_id
from askweb.providers.addresses import origin_of
from askweb.providers.keys import decrypt, encrypt
from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.configured import configured_model
from askweb.providers.presets import preset_named, presets

LOCAL = "local"


class ModelInfo(TypedDict, total=False):
    id: str
    context_window: int


class Providers(models.QuerySet["Provider"]):
    def offered_to(self, person: User) -> Self:
        """The person's own, then those shared by all; only what can answer of those that were found.

        What was found on the machine is of owners alone: whoever is none any more has lost it.
        """
        offered = self.filter(Q(user=person) | Q(user=None)).exclude(gone=True)
        if not person.is_superuser:
            offered = offered.exclude(user=person, found=True, encrypted_key="")
        if not isinstance(configured_model(), LocalModel):
            offered = offered.exclude(preset=LOCAL)
        keyless = [slug for slug, each in presets().items() if each.key_variable and not each.environment_key]
        offered = offered.exclude(found=True, encrypted_key="", preset__in=keyless)
        return offered.order_by(models.F("user").asc(nulls_last=True), "-is_default", "created")

    def changeable_by(self, person: User) -> Self:
        """The person's own; owners also change what is shared, but for the local one, which is the server's."""
        shared = Q(user=None) & ~Q(preset=LOCAL)
        return self.filter(Q(user=person) | shared if person.is_superuser else Q(user=person))


class Provider(models.Model):
    """An endpoint. Its base URL is used as given, less a pasted `/chat/completions`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="providers")
    slug = models.SlugField(max_length=50)
    name = models.CharField(max_length=100)
    preset = models.CharField(max_length=50, blank=True)
    base_url = models.TextField(blank=True)
    headers = models.JSONField(default=dict, blank=True)
    encrypted_key = models.TextField(blank=True)
    known_models = models.JSONField(default=list, blank=True)
    default_model = models.CharField(max_length=200, blank=True)
    capabilities = models.JSONField(
        default=dict, blank=True, help_text="by model, or * for all: what was set, and what was refused"
    )
    token_ratios = models.JSONField(
        default=dict, blank=True, help_text="by model: its own counts of tokens, compared with estimates"
    )
    is_default = models.BooleanField(default=False)
    found = models.BooleanField(default=False)
    gone = models.BooleanField(default=False, help_text="was found, and is not there any more")
    created = models.DateTimeField(auto_now_add=True)

    objects = Providers.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint("user", "slug", name="provider_slug"),
            models.UniqueConstraint("slug", condition=Q(user=None), name="provider_slug_shared"),
            models.UniqueConstraint("user", condition=Q(is_default=True), name="provider_default"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def shared(self) -> bool:
        return self.user_id is None

    @property
    def origin(self) -> str:
        return origin_of(self.base_url)

    def may_be_changed_by(self, person: User) -> bool:
        """As `changeable_by` has it."""
        return self.user_id == person.pk or (self.shared and person.is_superuser and not self.is_local)

    @property
    def is_local(self) -> bool:
        return self.preset == LOCAL

    @property
    def has_key(self) -> bool:
        return bool(self.encrypted_key or self._environment_key)

    @property
    def api_key(self) -> str:
        return decrypt(self.encrypted_key) if self.encrypted_key else self._environment_key

    @api_key.setter
    def api_key(self, key: str) -> None:
        self.encrypted_key = encrypt(key) if key else ""

    @property
    def _environment_key(self) -> str:
        """Of a provider that was found by its key in the environment; it is stored nowhere, and goes nowhere else."""
        preset = preset_named(self.preset) if self.found else None
        is_there = preset is not None and self.origin == origin_of(preset.environment_address)
        return preset.environment_key if preset and is_there else ""
