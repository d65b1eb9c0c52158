from django.contrib import admin

from askweb.providers.models import Provider


@admin.register(Provider)
class ProviderAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "slug", "user", "base_url", "is_default")
    list_select_related = ("user",)
    search_fields = ("name", "slug", "base_url", "user__username")
    exclude = ("encrypted_key",)
    autocomplete_fields = ("user",)
