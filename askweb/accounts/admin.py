from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from askweb.accounts.models import Device, User
from askweb.audit.admin import NotingAdmin
from askweb.audit.models import Act
from askweb.conversations.changing import delete_conversation

admin.site.site_header = admin.site.site_title = "AskWeb"


@admin.register(User)
class PersonAdmin(NotingAdmin, UserAdmin):  # type: ignore[type-arg]
    """People go with all of theirs: the texts of their pages are not in the rows that deleting cascades to.

    Roles are changed, and people deactivated, under Settings → People, which keeps an owner.
    """

    added, changed, deleted = Act.PERSON_ADDED, Act.PERSON_CHANGED, Act.PERSON_DELETED
    readonly_fields = ("is_active", "is_staff", "is_superuser", "last_login", "date_joined")

    fieldsets = (
        (None, {"fields": ("username",)}),
        *((name, options) for name, options in UserAdmin.fieldsets or () if name),
    )

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002 - Django's name
        """Nobody sets another's password; one's own is set under Settings → Account."""
        raise PermissionDenied

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What to confirm: the people. Django's own list would read, and show, every row of theirs.

        Protected, and so not deleted, are those without whom nobody would be owner.
        """
        names = [str(each) for each in objs]
        others = User.objects.owners().exclude(pk__in=[each.pk for each in objs])
        return names, {"people": len(objs)}, set(), [] if others.exists() else names

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        for conversation in obj.conversations.all():
            delete_conversation(conversation)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for person in queryset:
            self.delete_model(request, person)


@admin.register(Device)
class DeviceAdmin(NotingAdmin):
    deleted = Act.DEVICE_REVOKED
    list_display = ("name", "user", "created", "last_used")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    exclude = ("token_hash",)
    readonly_fields = ("user", "scopes", "created", "last_used")

    def delete_model(self, request: HttpRequest, obj: Device) -> None:
        obj.revoke()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Device]) -> None:
        Device.objects.filter(pk__in=queryset.values("pk")).revoke()

    def has_add_permission(self, request: object) -> bool:
        """A device is made where its token can be shown: by pairing, or by `manage.py device_token`."""
        return False
