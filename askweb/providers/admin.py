from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from askweb.people import person_of
from askweb.providers.models import Provider


@admin.register(Provider)
class ProviderAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """What is shared, and one's own; keys, and headers, which may be keys by another name, are never shown."""

    list_display = ("name", "slug", "user", "base_url", "is_default")
    list_select_related = ("user",)
    search_fields = ("name", "slug", "base_url")
    exclude = ("encrypted_key", "headers")
    readonly_fields = ("user",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Provider]:
        rows: QuerySet[Provider] = super().get_queryset(request)
        return rows.filter(Q(user=None) | Q(user=person_of(request)))
