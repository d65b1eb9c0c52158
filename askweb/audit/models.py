"""The audit log: who did what that concerns security or everybody, when, and from where. Never what anything says."""

from datetime import timedelta
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone

from askweb.ids import new_id


class Act(models.TextChoices):
    SIGNED_IN = "sign_in"
    SIGN_IN_FAILED = "sign_in.failed"
    SIGNED_OUT = "sign_out"
    LINK_MADE = "sign_in_link.made"
    DEVICE_MADE = "device.made"
    DEVICE_PAIRED = "device.paired"
    DEVICE_REVOKED = "device.revoked"
    PROVIDER_ADDED = "provider.added"
    PROVIDER_CHANGED = "provider.changed"
    PROVIDER_SHARED = "provider.shared"
    PROVIDER_TAKEN_BACK = "provider.taken_back"
    PROVIDER_DELETED = "provider.deleted"
    TOOL_PUBLISHED = "tool.published"
    PERSON_INVITED = "person.invited"
    INVITATION_REVOKED = "invitation.revoked"
    PERSON_ADDED = "person.added"
    PERSON_CHANGED = "person.changed"
    PERSON_DELETED = "person.deleted"
    PASSWORD_CHANGED = "password.changed"  # noqa: S105 - an act, and no password
    EVERYTHING_DELETED = "everything.deleted"
    EVERYTHING_EXPORTED = "everything.exported"


class AuditEntries(models.QuerySet["AuditEntry"]):
    def update(self, **values: Any) -> NoReturn:
        raise TypeError("what was noted stays as it is")

    def forget_old(self) -> None:
        """Delete what is older than ASKWEB_AUDIT_DAYS."""
        self.filter(at__lt=timezone.now() - timedelta(days=settings.ASKWEB_AUDIT_DAYS)).delete()


class AuditEntry(models.Model):
    """Ids, not rows, so that it outlives whom and what it is about; the name of who it was, as it was then."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    act = models.CharField(max_length=30, help_text="an `Act`, perhaps one of an earlier release")
    who = models.UUIDField(null=True, help_text="a person's id; null is a stranger, or a command")
    who_name = models.CharField(max_length=150, blank=True)
    target = models.CharField(max_length=100, blank=True, help_text="what it was done to: an id, or a slug")
    address = models.GenericIPAddressField(null=True, help_text="null is a command on the machine itself")
    device = models.UUIDField(null=True, help_text="the device that did it; null is a browser")

    objects = AuditEntries.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.act} by {self.who_name or 'nobody known'}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("what was noted stays as it is")
        super().save(*args, **kwargs)
