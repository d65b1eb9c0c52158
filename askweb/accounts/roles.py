"""What a person may do besides their own."""

from django.db import models
from django.utils.translation import gettext_lazy as _lazy


class Role(models.TextChoices):
    """Staff edit shared tools; owners also decide who else is here."""

    READER = "reader", _lazy("Reader")
    STAFF = "staff", _lazy("Staff")
    OWNER = "owner", _lazy("Owner")
