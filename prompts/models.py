"""Tools, their published templates, and what was assembled from them."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, NoReturn, Self
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from askweb.accounts.models import User
from askweb.conversations.models import Message
from askweb.conversations.packing import PackedJSON
from askweb.ids import new_id
from prompts.options import Options
from prompts.shapes import AssemblyShape

SAME_LOOK = timedelta(hours=1)
OWN_FIRST = (F("owner").asc(nulls_last=True),)


class Tools(models.QuerySet["Tool"]):
    def offered_to(self, person: User) -> Self:
        """The person's own tools and the shared ones that have a published template."""
        offered = self.filter(Q(owner=person) | Q(owner=None), published__isnull=False)
        return offered.select_related("published").order_by("order", "slug")

    def named(self, person: User, slug: str) -> "Tool | None":
        """The person's own tool of that name, else the shared one."""
        return self.offered_to(person).filter(slug=slug).order_by(*OWN_FIRST).first()

    def seen_as(self, person: User, slug: str, owner: str | None = None) -> "Tool | None":
        """What the person sees under that slug: their own tool, else the shared one; `owner` picks one of them."""
        seen = self.seen_by(person).filter(slug=slug)
        if owner is not None:
            seen = seen.filter(owner__isnull=owner == "shared")
        return seen.order_by(*OWN_FIRST).first()

    def seen_by(self, person: User) -> Self:
        """What is offered to the person, and what they may edit though it was never published."""
        drafts = Q(owner=person) | Q(owner=None) if person.is_staff else Q(owner=person)
        seen = self.filter(drafts | Q(owner=None, published__isnull=False))
        return seen.select_related("published").order_by("order", "slug")


class Tool(models.Model):
    """What a person picks: a name, a template and options."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="tools"
    )
    slug = models.CharField(max_length=100, help_text="its id in files, in addresses and for devices")
    name = models.CharField(max_length=200)
    names = models.JSONField(default=dict, blank=True, help_text="by the code of an interface language")
    order = models.PositiveIntegerField(default=0)
    kinds = models.JSONField(default=list, blank=True, help_text="where it is offered")
    options = models.JSONField(default=dict, blank=True, help_text="those that are not the default")
    questions = models.JSONField(default=list, blank=True, help_text="asked before the first call")
    draft = models.TextField(null=True, blank=True)  # noqa: DJ001 - an empty draft is a draft
    published = models.ForeignKey("TemplateVersion", models.RESTRICT, null=True, blank=True, related_name="+")

    objects = Tools.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint("owner", "slug", name="tool_slug"),
            models.UniqueConstraint("slug", condition=Q(owner=None), name="tool_slug_shared"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def chosen(self) -> Options:
        """The options, each of them."""
        return Options.stored(self.options)

    @property
    def language(self) -> str | None:
        """The language of the answer, by its name, where the tool sets one."""
        return self.chosen.language or None

    @property
    def omits_leftovers(self) -> bool:
        """Whether context that the template doesn't use is left out rather than put in front."""
        return self.chosen.leftovers == "omit"

    def name_in(self, language: str) -> str:
        """The name in an interface language, given by its code."""
        return str(self.names.get(language, self.name))

    @transaction.atomic
    def publish(
        self, source: str, *, shipped: bool = False, restored_from: int | None = None
    ) -> "TemplateVersion":
        """Make the text the next version, and the one in use. Whether it is right is not asked here."""
        Tool.objects.select_for_update().filter(pk=self.pk).first()
        last = self.versions.order_by("-number").first()
        version = self.versions.create(
            number=last.number + 1 if last else 1,
            source=source,
            shipped=shipped,
            restored_from=restored_from,
        )
        self.published = version
        self.save(update_fields=["published"])
        return version


class Versions(models.QuerySet["TemplateVersion"]):
    def update(self, **values: Any) -> NoReturn:
        raise TypeError("a published template is never changed")


class TemplateVersion(models.Model):
    """A published template. It is never changed; publishing an old text again makes a new version, so that
    the number kept with what was sent stays true.
    """

    tool = models.ForeignKey(Tool, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    source = models.TextField()
    shipped = models.BooleanField(default=False, help_text="came with a release, not from staff")
    restored_from = models.PositiveIntegerField(null=True, help_text="the version whose text it is again")
    created = models.DateTimeField(auto_now_add=True)

    objects = Versions.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint("tool", "number", name="template_version_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="template_version_from_1"),
            models.CheckConstraint(
                condition=Q(restored_from=None) | Q(restored_from__lt=F("number")),
                name="template_version_restored",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tool} v{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a published template is never changed")
        super().save(*args, **kwargs)


class Snippets(models.QuerySet["Snippet"]):
    def offered_to(self, person: User) -> Self:
        """The person's own and the shared ones, by name."""
        return self.filter(Q(owner=person) | Q(owner=None)).order_by("name", *OWN_FIRST)

    def reached_from(self, owner_id: UUID | None) -> dict[str, str]:
        """The text of each snippet that templates of this owner can use, by name. A person's own wins over
        the shared one; shared tools see only what is shared, so they are the same for everyone.
        """
        reached = self.filter(Q(owner=owner_id) | Q(owner=None))
        shared_first = reached.order_by(F("owner").asc(nulls_first=True), "name")
        return dict(shared_first.values_list("name", "source"))


class Snippet(models.Model):
    """A named text that templates take in with `{{> name}}`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="snippets"
    )
    name = models.CharField(max_length=100)
    source = models.TextField(blank=True)

    objects = Snippets.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint("owner", "name", name="snippet_name"),
            models.UniqueConstraint("name", condition=Q(owner=None), name="snippet_name_shared"),
        )

    def __str__(self) -> str:
        return self.name


class Assemblies(models.QuerySet["Assembly"]):
    def of_message(self, message: Message) -> Self:
        """Those of the runs that answered this message or wrote it, newest first."""
        return self.filter(Q(run__message=message) | Q(run__reply=message)).order_by("-pk")


class Assembly(PackedJSON):
    """What was sent for one run; its value is the shape of the API."""

    run = models.OneToOneField("runs.Run", models.CASCADE, related_name="assembly")

    to_conversation = "run__conversation"

    objects = Assemblies.as_manager()

    class Meta:
        verbose_name_plural = "assemblies"

    def shape(self) -> AssemblyShape:
        shape: AssemblyShape = self.value()  # type: ignore[assignment]
        return shape

    def __str__(self) -> str:
        return f"assembly of {self.run_id}"


class ContextLooks(models.QuerySet["ContextLook"]):
    def note(self, who: User, messages: Iterable[Message]) -> None:
        """Write down that somebody sees these messages, those that are not their own.

        Each needs its conversation at hand. Seeing one again within the hour is the same look: a preview
        is made anew with every pause in typing.
        """
        seen = {each.pk: each for each in messages if each.conversation.user_id != who.pk}
        if not seen:
            return
        recent = self.filter(who=who, message_id__in=seen, created__gt=timezone.now() - SAME_LOOK)
        known = set(recent.values_list("message_id", flat=True))
        new = [each for pk, each in seen.items() if pk not in known]
        self.bulk_create(
            ContextLook(who=who, whose=each.conversation.user, message_id=each.pk) for each in new
        )


class ContextLook(models.Model):
    """Who looked at whose context, and when. It stays when the message is deleted, and is never changed."""

    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    whose = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    message_id = models.UUIDField(help_text="of the message that the context came with")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = ContextLooks.as_manager()

    class Meta:
        verbose_name = "look at a context"
        verbose_name_plural = "looks at contexts"
        permissions = (("view_others_context", "Can look at other people's contexts"),)
        indexes = (models.Index("who", "message_id", name="context_look_again"),)

    def __str__(self) -> str:
        return f"{self.who} at {self.message_id}"
