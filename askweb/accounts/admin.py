from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from askweb.accounts.models import Device, User

admin.site.site_header = admin.site.site_title = "AskWeb"
admin.site.register(User, UserAdmin)


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "user", "created", "last_used")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    exclude = ("token_hash",)
    readonly_fields = ("user", "scopes", "created", "last_used")

    def has_add_permission(self, request: object) -> bool:
        """A device is made where its token can be shown: by pairing, or by `manage.py device_token`."""
        return False
