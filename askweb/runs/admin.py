from django.contrib import admin

from askweb.audit.admin import LogAdmin
from askweb.runs.models import Run


@admin.register(Run)
class RunAdmin(LogAdmin):
    """How each run went, never what was asked or answered. A run is stopped with its conversation, not here."""

    list_display = ("id", "person", "state", "provider_slug", "model", "code", "steps", "created", "ended")
    list_select_related = ("conversation__user",)
    list_filter = ("state", "asking")
    search_fields = ("=conversation__user__username", "=provider_slug", "=model", "=code")
    search_help_text = "A person's name, a provider's slug, a model or an error code, whole"
    show_full_result_count = False
    ordering = ("-id",)
    fields = readonly_fields = (
        "id", "person", "conversation_id", "message_id", "reply_id", "state", "epoch", "seq", "provider_slug",
        "model", "language", "asking", "mistakes", "steps", "code", "retryable", "finish", "prompt_tokens",
        "completion_tokens", "stop_requested_at", "lease_expires_at", "created", "ended",
    )  # fmt: skip

    @admin.display(description="person", ordering="conversation__user")
    def person(self, run: Run) -> str:
        return str(run.conversation.user)
