"""Tools, their published templates, and what was assembled from them."""

from typing import Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q

from askweb.accounts.models import User
from askweb.conversations.models import Message
from askweb.conversations.packing import PackedJSON
from askweb.ids import new_id
from prompts.shapes import AssemblyShape


class Tools(models.QuerySet["Tool"]):
    def offered_to(self, person: User) -> Self:
        """The person's own tools and the shared ones that have a published template."""
        offered = self.filter(Q(owner=person) | Q(owner=None), published__isnull=False)
        return offered.select_related("published").order_by("order", "slug")

    def named(self, person: User, slug: str) -> "Tool | None":
        """The person's own tool of that name, else the shared one."""
        return (
            self.offered_to(person).filter(slug=slug).order_by(models.F("owner").asc(nulls_last=True)).first()
        )


class Tool(models.Model):
    """What a person picks: a name, a template and options."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="tools"
    )
    slug = models.SlugField(max_length=100)
    name = models.CharField(max_length=200)
    order = models.PositiveIntegerField(default=0)
    kinds = models.JSONField(default=list, blank=True, help_text="where it is offered")
    options = models.JSONField(default=dict, blank=True)
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
    def language(self) -> str | None:
        """The language of the answer, by its name, where the tool sets one."""
        language = self.options.get("language")
        return language if isinstance(language, str) and language.strip() else None

    @property
    def omits_leftovers(self) -> bool:
        """Whether context that the template doesn't use is left out rather than put in front."""
        return bool(self.options.get("leftovers") == "omit")

    def name_in(self, language: str) -> str:
        """The name in an interface language, given by its code."""
        return str(self.options.get("names", {}).get(language, self.name))

    @transaction.atomic
    def publish(self, source: str, *, shipped: bool = False) -> "TemplateVersion":
        """Make the text the next version, and the one in use."""
        last = self.versions.order_by("-number").first()
        version = self.versions.create(number=last.number + 1 if last else 1, source=source, shipped=shipped)
        self.published = version
        self.save(update_fields=["published"])
        return version


class TemplateVersion(models.Model):
    """A published template. It is never changed."""

    tool = models.ForeignKey(Tool, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    source = models.TextField()
    shipped = models.BooleanField(default=False, help_text="came with a release, not from staff")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint("tool", "number", name="template_version_number"),)

    def __str__(self) -> str:
        return f"{self.tool} v{self.number}"


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
