from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from askweb.images.models import Image


@admin.register(Image)
class ImageAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What there is and how large, never the images themselves: those are their persons' own."""

    list_display = ("id", "user", "media_type", "width", "height", "size", "created")
    list_select_related = ("user",)
    list_filter = ("media_type",)
    search_fields = ("digest", "user__username")
    date_hierarchy = "created"
    fields = readonly_fields = ("id", "user", "media_type", "width", "height", "size", "digest", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Image]:
        rows: QuerySet[Image] = super().get_queryset(request)
        return rows.defer("data")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
