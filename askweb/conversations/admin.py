from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from askweb.accounts.searching import found_by
from askweb.audit.admin import LogAdmin, ReadOnlyAdmin
from askweb.conversations.changing import delete_conversation
from askweb.conversations.models import Conversation, Message


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    """Whose there are and since when, never what they are about: titles and pages are their persons' own.

    They can be deleted, with all that only they use.
    """

    list_display = ("id", "user", "created", "updated", "temporary", "archived")
    list_select_related = ("user",)
    list_filter = ("temporary", "archived")
    search_fields = ("=user__username", "=user__email")
    search_help_text = "A person's name or address, whole"
    show_full_result_count = False
    ordering = ("-id",)
    fields = readonly_fields = (
        "id", "user", "created", "updated", "pinned", "archived", "temporary", "expires_at", "revision",
    )  # fmt: skip

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        delete_conversation(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        for conversation in queryset:
            delete_conversation(conversation)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """What to confirm: ids alone. Django's own list would name, and read, everything below."""
        return [str(each.pk) for each in objs], {"conversations": len(objs)}, set(), []


@admin.register(Message)
class MessageAdmin(LogAdmin):
    """That there is a message, and what state it is in, never its words."""

    list_display = ("id", "person", "role", "state", "tool", "created")
    list_select_related = ("conversation__user",)
    list_filter = ("role", "state")
    sortable_by = ("id",)  # is by time; by anything else, all messages would be read
    search_fields = ("=conversation__user__username", "=tool")
    search_help_text = "A person's name or a tool's slug, whole"
    show_full_result_count = False
    ordering = ("-id",)
    fields = readonly_fields = (
        "id", "person", "conversation_id", "parent_id", "role", "state", "tool", "normalised", "created", "updated",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        rows: QuerySet[Message] = super().get_queryset(request)
        return rows.defer("content", "reasoning", "html", "function_calls", "citations")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Message], search_term: str
    ) -> tuple[QuerySet[Message], bool]:
        return found_by(queryset, search_term, person="conversation__user", other="tool"), False

    @admin.display(description="person", ordering="conversation__user")
    def person(self, message: Message) -> str:
        return str(message.conversation.user)
