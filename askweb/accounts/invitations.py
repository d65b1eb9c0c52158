"""Invitations: each lets whoever has its link become a person here, once."""

from datetime import timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from askweb.accounts.roles import Role
from askweb.accounts.tokens import hash_token, new_token
from askweb.ids import new_id

INVITATION_LIFE = timedelta(days=7)
NAME_LIMIT = 100


class Invitations(models.QuerySet["Invitation"]):
    def pending(self) -> Self:
        """Those that can be accepted, newest first."""
        return self.filter(expires_at__gt=timezone.now()).order_by("-id")

    def issue(self, name: str, email: str, role: Role) -> tuple["Invitation", str]:
        """Return a new invitation and its token, which can't be read again. Those that are too old are forgotten."""
        token = new_token()
        now = timezone.now()
        self.filter(expires_at__lt=now).delete()
        kept = {"token_hash": hash_token(token), "expires_at": now + INVITATION_LIFE}
        return self.create(name=name, email=email, role=role, **kept), token

    def for_token(self, token: str) -> "Invitation | None":
        return self.pending().filter(token_hash=hash_token(token)).first()


class Invitation(models.Model):
    """It is there for as long as it can be accepted: whoever accepts, or revokes it, takes it away."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    token_hash = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=NAME_LIMIT, help_text="who it is for")
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=6, choices=Role, default=Role.READER)
    created = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    objects = Invitations.as_manager()

    def __str__(self) -> str:
        return self.name

    def take(self) -> bool:
        """Whether it was still there; it isn't any more."""
        return bool(Invitation.objects.pending().filter(pk=self.pk).delete()[0])
