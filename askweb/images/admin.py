from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from askweb.accounts.searching import found_by
from askweb.audit.admin import ReadOnlyAdmin
from askweb.images.models import Image


@admin.register(Image)
class ImageAdmin(ReadOnlyAdmin):
    """What there is and how large, never the images themselves: those are their persons' own.

    The list does not say when: that stands behind the images in their rows, and would be looked for there.
    """

    list_display = ("id", "user", "media_type", "width", "height", "size")
    list_select_related = ("user",)
    search_fields = ("=digest", "=user__username")
    search_help_text = "A person's name or an image's digest, whole"
    show_full_result_count = False
    ordering = ("-id",)
    fields = readonly_fields = ("id", "user", "media_type", "width", "height", "size", "digest", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Image]:
        rows: QuerySet[Image] = super().get_queryset(request)
        return rows.defer("data", "created")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Image], search_term: str
    ) -> tuple[QuerySet[Image], bool]:
        return found_by(queryset, search_term, person="user", other="digest"), False
