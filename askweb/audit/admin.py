from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from askweb.audit.models import Act, AuditEntry
from askweb.audit.noting import note


class NotingAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Notes in the audit log what is done here, wherever Django notes it in its own."""

    added: ClassVar[Act | None] = None
    changed: ClassVar[Act | None] = None
    deleted: ClassVar[Act | None] = None

    def is_noted(self, obj: Any) -> bool:
        return True

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        self._note(self.added, request, obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        self._note(self.changed, request, obj)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        for obj in queryset:
            self._note(self.deleted, request, obj)
        return super().log_deletions(request, queryset)

    def _note(self, act: Act | None, request: HttpRequest, obj: Model) -> None:
        if act is not None and self.is_noted(obj):
            note(act, request, target=obj.pk)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows to be read: nobody adds or changes one here, and no page offers to save one."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


class LogAdmin(ReadOnlyAdmin):
    """Nor is one deleted."""

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(AuditEntry)
class AuditEntryAdmin(LogAdmin):
    list_display = ("at", "act", "who_name", "target", "address", "device")
    list_filter = ("act", "at")
    search_fields = ("act", "who_name", "=target", "=address")
    search_help_text = "An act, a person's name, or the whole of an id or address"
    show_full_result_count = False
    ordering = ("-id",)
