from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from askweb.audit.admin import NotingAdmin
from askweb.audit.models import Act
from askweb.people import person_of
from askweb.providers.models import Provider


@admin.register(Provider)
class ProviderAdmin(NotingAdmin):
    """What is shared, and one's own; keys, and headers, which may be keys by another name, are never shown."""

    added, changed, deleted = Act.PROVIDER_ADDED, Act.PROVIDER_CHANGED, Act.PROVIDER_DELETED

    list_display = ("name", "slug", "user", "base_url", "is_default")
    list_select_related = ("user",)
    search_fields = ("name", "slug", "base_url")
    exclude = ("encrypted_key", "headers")
    readonly_fields = ("user", "found", "gone")

    def get_readonly_fields(self, request: HttpRequest, obj: Provider | None = None) -> tuple[str, ...]:
        """Its address is changed in the settings alone, which see to it that no key goes elsewhere."""
        return (*self.readonly_fields, *(("base_url", "preset") if obj else ()))

    def is_noted(self, obj: Provider) -> bool:
        """One's own are nobody else's concern."""
        return obj.user_id is None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Provider]:
        rows: QuerySet[Provider] = super().get_queryset(request)
        return rows.filter(Q(user=None) | Q(user=person_of(request)))
