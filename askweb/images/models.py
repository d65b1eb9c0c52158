"""Images that a person posted. They are kept in the database, so that a backup or a delete is one thing."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.utils import timezone

from askweb.accounts.models import User
from askweb.ids import new_id
from askweb.images.cleaning import CleanImage


def digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


class Images(models.QuerySet["Image"]):
    def store(self, person: User, clean: CleanImage) -> "Image":
        """Keep an image. The same one again gives the same row, and its age counts from now."""
        row = {field: getattr(clean, field) for field in ("media_type", "width", "height", "data")}
        image, _made = self.defer("data").update_or_create(
            user=person,
            digest=digest_of(clean.data),
            defaults={"created": timezone.now()},
            create_defaults={**row, "size": len(clean.data)},
        )
        return image


class Image(models.Model):
    """Pixels that were decoded and encoded anew. A row never changes but for `created`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="images")
    media_type = models.CharField(max_length=20)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size = models.PositiveIntegerField(help_text="in bytes")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the data")
    data = models.BinaryField()
    created = models.DateTimeField(default=timezone.now, help_text="or posted again")

    objects = Images.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "digest"), name="image_digest"),)
        indexes = (models.Index("user", "size", name="image_sizes"),)

    def __str__(self) -> str:
        return f"{self.width} × {self.height} {self.media_type}"
