from django.contrib import admin

from prompts.models import TemplateVersion, Tool


class VersionInline(admin.TabularInline):  # type: ignore[type-arg]
    model = TemplateVersion
    fields = readonly_fields = ("number", "source", "shipped", "created")
    ordering = ("-number",)
    extra = 0
    can_delete = False

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Tool)
class ToolAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "slug", "owner", "order", "published")
    list_select_related = ("owner", "published__tool")
    search_fields = ("name", "slug")
    readonly_fields = ("published",)
    autocomplete_fields = ("owner",)
    inlines = (VersionInline,)
