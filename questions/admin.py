from django.contrib import admin

from askweb.audit.admin import ReadOnlyAdmin
from questions.models import QuestionSet


@admin.register(QuestionSet)
class QuestionSetAdmin(ReadOnlyAdmin):
    """What became of each set, never what was asked and answered: that is between its person and whoever asked.

    Conversations are shown by id, since their titles may be what was asked.
    """

    list_display = ("id", "user", "source", "tool", "status", "created", "expires_at", "surface")
    list_select_related = ("user",)
    list_filter = ("status", "source")
    search_fields = ("=id", "=user__username")
    search_help_text = "A set's id or a person's name, whole"
    show_full_result_count = False
    ordering = ("-id",)
    fields = readonly_fields = (
        "id", "user", "conversation_id", "run_id", "source", "tool", "status", "created", "expires_at",
        "resolved_at", "surface", "device", "delivered",
    )  # fmt: skip
