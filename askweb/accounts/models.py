"""People, the links that sign them in, and the devices that act for them."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any, ClassVar, Literal, Self, get_args

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils import timezone

from askweb.accounts.ending import device_group, doubt_access, end_access, person_group
from askweb.accounts.invitations import Invitation  # noqa: F401 - a model of this app
from askweb.accounts.roles import Role
from askweb.accounts.tokens import bearer_token, hash_token, new_token
from askweb.ids import new_id

Scope = Literal["ask", "read", "questions", "settings"]
ALL_SCOPES: tuple[Scope, ...] = get_args(Scope)

SIGN_IN_LINK_LIFE = timedelta(minutes=15)
TICKET_LIFE = timedelta(seconds=30)
PAIRING_CODE_LIFE = timedelta(seconds=60)
LAST_USED_STEP = timedelta(minutes=1)


class People(UserManager["User"]):
    def owner(self) -> "User":
        """The person this installation belongs to; made on first use."""
        owner = self.owners().order_by("date_joined", "id").first()
        return owner or self.create_superuser(next(self._free_names("owner")))

    def owners(self) -> models.QuerySet["User"]:
        """Those who may sign in."""
        return self.filter(is_superuser=True, is_active=True)

    def with_password(self) -> models.QuerySet["User"]:
        """Those who may sign in with a password; all others have nothing but links."""
        unusable = models.Q(password="") | models.Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
        return self.filter(is_active=True).exclude(unusable)

    def _free_names(self, name: str) -> Iterator[str]:
        """`name` may be someone's who was deactivated, or who is no superuser any more."""
        numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
        return (each for each in numbered if not self.filter(username=each).exists())


class Theme(models.TextChoices):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class User(AbstractUser):
    """A person. Everything of theirs is looked up through them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    initial_message = models.TextField(  # noqa: DJ001 - an empty one is a choice
        null=True, blank=True, help_text="the template of their system messages; null is the one that ships"
    )
    answer_language = models.CharField(
        max_length=100,
        blank=True,
        help_text="by name or code, or page, or question; empty is the interface's",
    )
    interface_language = models.CharField(
        max_length=20, blank=True, help_text="a code; empty is the browser's"
    )
    model_titles = models.BooleanField(default=False, help_text="a model makes titles")
    theme = models.CharField(max_length=6, choices=Theme, default=Theme.SYSTEM)
    blocked_hosts = models.JSONField(
        default=list, blank=True, help_text="as browsers write them; each stands for its subdomains, too"
    )
    limit_runs_at_once = models.PositiveIntegerField(null=True, help_text="null is the server's")
    limit_runs_per_day = models.PositiveIntegerField(null=True, help_text="null is the server's")
    limit_storage = models.PositiveBigIntegerField(null=True, help_text="in bytes; null is the server's")

    objects: ClassVar[People] = People()

    class Meta(AbstractUser.Meta):
        verbose_name = "person"
        verbose_name_plural = "people"

    @property
    def role(self) -> Role:
        if self.is_superuser:
            return Role.OWNER
        return Role.STAFF if self.is_staff else Role.READER

    @role.setter
    def role(self, role: Role) -> None:
        self.is_superuser = role == Role.OWNER
        self.is_staff = role != Role.READER

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Whoever is deactivated, wherever that is done, loses what is open at once; a new password ends sessions."""
        has_new_password = self._password is not None  # type: ignore[attr-defined]
        super().save(*args, **kwargs)
        if not self.is_active:
            end_access(person_group(self.pk))
        elif has_new_password:
            doubt_access(person_group(self.pk))

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        end_access(person_group(self.pk))
        return super().delete(*args, **kwargs)

    def is_alone(self) -> bool:
        """Whether nobody else can sign in here."""
        return not User.objects.filter(is_active=True).exclude(pk=self.pk).exists()

    def new_sign_in_link(self) -> str:
        """Return the token of a new one-use link."""
        token = new_token()
        self.sign_in_links.create(token_hash=hash_token(token), expires_at=timezone.now() + SIGN_IN_LINK_LIFE)
        return token

    def new_device(self, name: str, scopes: tuple[Scope, ...] = ALL_SCOPES) -> tuple["Device", str]:
        """Return a new device and its token, which can't be read again."""
        token = f"askweb_{new_token()}"
        device = self.devices.create(name=name, scopes=list(scopes), token_hash=hash_token(token))
        return device, token


class SignInLinks(models.QuerySet["SignInLink"]):
    def use(self, token: str) -> User | None:
        """Return the link's person, once; None when it is unknown, used or too old."""
        link = self.filter(token_hash=hash_token(token)).select_related("user").first()
        if link is None or not link.user.is_active:
            return None
        unused = self.filter(pk=link.pk, used_at=None, expires_at__gt=timezone.now())
        return link.user if unused.update(used_at=timezone.now()) else None


class SignInLink(models.Model):
    token_hash = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="sign_in_links")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = SignInLinks.as_manager()

    def __str__(self) -> str:
        return f"sign-in link of {self.user}"


class Devices(models.QuerySet["Device"]):
    def for_header(self, header: str) -> "Device | None":
        """The device whose token an `Authorization` header bears. That it was used is noted."""
        token = bearer_token(header)
        device = self.for_token(token) if token is not None else None
        if device is not None:
            device.note_use()
        return device

    def for_token(self, token: str) -> "Device | None":
        return self.filter(token_hash=hash_token(token), user__is_active=True).select_related("user").first()

    def newest_first(self) -> Self:
        return self.order_by("-id")

    def revoke(self) -> int:
        """Revoke each of them; return how many there were."""
        devices = list(self)
        for device in devices:
            device.revoke()
        return len(devices)


class Device(models.Model):
    """A program that acts for a person, known by its bearer token."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=100)
    scopes = models.JSONField()
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True)

    objects = Devices.as_manager()

    def __str__(self) -> str:
        return self.name

    def may(self, scope: Scope) -> bool:
        return scope in self.scopes

    def revoke(self) -> None:
        """Have its token refused from now on, and its sockets closed."""
        end_access(device_group(self.pk))
        self.delete()

    def note_use(self) -> None:
        """Remember when it was last used, to the minute, so that reading doesn't write each time."""
        now = timezone.now()
        if self.last_used is None or abs(now - self.last_used) > LAST_USED_STEP:
            Device.objects.filter(pk=self.pk).update(last_used=now)


class PairingCodes(models.QuerySet["PairingCode"]):
    def issue(self, user: User, **fields: Any) -> str:
        code = new_token()
        self.filter(expires_at__lt=timezone.now()).delete()
        self.create(
            code_hash=hash_token(code), user=user, expires_at=timezone.now() + PAIRING_CODE_LIFE, **fields
        )
        return code

    def take(self, code: str) -> "PairingCode | None":
        """Return what was approved, once; None when the code is unknown, used or too old."""
        row = self.filter(code_hash=hash_token(code)).select_related("user").first()
        if row is None or not self.filter(pk=row.pk).delete()[0]:
            return None
        return row if row.expires_at > timezone.now() and row.user.is_active else None


class PairingCode(models.Model):
    """What a person approved: a device for whoever sent them, and knows the verifier of the challenge."""

    code_hash = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="pairing_codes")
    name = models.CharField(max_length=100)
    scopes = models.JSONField()
    redirect_uri = models.TextField()
    challenge = models.CharField(max_length=43)
    expires_at = models.DateTimeField()

    objects = PairingCodes.as_manager()

    def __str__(self) -> str:
        return f"pairing code of {self.user}"


class SocketTickets(models.QuerySet["SocketTicket"]):
    def issue(self, user: User, device: Device | None, session_key: str = "") -> tuple[str, "SocketTicket"]:
        """Return a new ticket's token and the ticket, for whom a device or a session asked."""
        token = new_token()
        self.filter(expires_at__lt=timezone.now()).delete()
        ticket = self.create(
            token_hash=hash_token(token),
            user=user,
            device=device,
            session_key=session_key,
            expires_at=timezone.now() + TICKET_LIFE,
        )
        return token, ticket

    def use(self, token: str) -> "SocketTicket | None":
        """Return the ticket, once; None when it is unknown, used or too old."""
        ticket = self.filter(token_hash=hash_token(token)).select_related("user").first()
        if ticket is None or not self.filter(pk=ticket.pk).delete()[0]:
            return None
        return ticket if ticket.expires_at > timezone.now() and ticket.user.is_active else None


class SocketTicket(models.Model):
    """Lets a client that has only a bearer token open one socket, which ends with what asked for the ticket."""

    token_hash = models.CharField(primary_key=True, max_length=64)
    user = models.ForeignKey(User, models.CASCADE, related_name="socket_tickets")
    device = models.ForeignKey(Device, models.CASCADE, null=True, related_name="socket_tickets")
    session_key = models.CharField(max_length=40, blank=True)
    expires_at = models.DateTimeField()

    objects = SocketTickets.as_manager()

    def __str__(self) -> str:
        return f"socket ticket of {self.user}"
