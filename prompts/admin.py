from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext as _

from askweb.audit.admin import LogAdmin
from askweb.errors import Problem
from askweb.people import person_of
from prompts.checking import Verdict, check_snippet, check_template
from prompts.editing import read_kinds, read_names, read_options, read_slug
from prompts.fields import FaultyField, Reader
from prompts.models import ContextLook, Snippet, TemplateVersion, Tool
from prompts.noting import noting_published
from prompts.options import Options
from prompts.page_forms import tool_address
from prompts.publishing import publish_draft
from prompts.snippets import read_snippet_name
from prompts.tool_questions import read_questions

READERS: dict[str, Reader] = {
    "slug": read_slug,
    "names": read_names,
    "kinds": read_kinds,
    "options": read_options,
    "questions": read_questions,
}


class ToolForm(forms.ModelForm):  # type: ignore[type-arg]
    """Checks what the database takes as it is, in the words that the API uses."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in READERS.keys() & cleaned.keys():
            try:
                cleaned[name] = READERS[name](cleaned[name])
            except ValueError as error:
                self.add_error(name, _words(error))
        if "options" in cleaned and "options" not in self.errors:
            cleaned["options"] = Options.stored(cleaned["options"]).changed()
            self._check_system(cleaned)
        return cleaned

    def _check_system(self, cleaned: dict[str, Any]) -> None:
        snippets = Snippet.objects.reached_from(self.instance.owner_id)
        verdict = check_template(Options.stored(cleaned["options"]).system, snippets)
        for message in _told(verdict):
            self.add_error("options", message)


class SnippetForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        try:
            name = read_snippet_name(cleaned.get("name"))
        except ValueError as error:
            self.add_error("name", str(error))
            return cleaned
        others = Snippet.objects.reached_from(self.instance.owner_id)
        for message in _told(check_snippet(name, cleaned.get("source", ""), others)):
            self.add_error("source", message)
        return cleaned


class VersionInline(admin.TabularInline):  # type: ignore[type-arg]
    model = TemplateVersion
    fields = readonly_fields = ("number", "source", "shipped", "restored_from", "created")
    ordering = ("-number",)
    extra = 0
    can_delete = False

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


class OwnAndSharedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shows what is shared, and one's own; what others wrote for themselves is theirs. Whose it is stays."""

    readonly_fields: ClassVar[tuple[str, ...]] = ("owner",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.filter(Q(owner=None) | Q(owner=person_of(request)))


@admin.register(Tool)
class ToolAdmin(OwnAndSharedAdmin):
    form = ToolForm
    list_display = ("name", "slug", "owner", "order", "published")
    list_select_related = ("owner", "published__tool")
    search_fields = ("name", "slug")
    fields = (
        "editor",
        "name",
        "names",
        "slug",
        "owner",
        "order",
        "kinds",
        "options",
        "questions",
        "draft",
        "published",
    )
    readonly_fields = ("owner", "published", "editor")
    inlines = (VersionInline,)
    actions = ("publish_drafts",)

    @admin.display(description="template")
    def editor(self, tool: Tool) -> str:
        """The way to the editor of the Control UI, which staff share with readers."""
        if tool._state.adding:
            return _("Save first.")
        pages = (
            ("tool", _("Edit and preview")),
            ("tool-diff", _("Compare versions")),
            ("tool-replay", _("Replay")),
        )
        links = ((tool_address(tool, page), words) for page, words in pages)
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    @admin.action(description="Publish the drafts", permissions=["change"])
    def publish_drafts(self, request: HttpRequest, tools: QuerySet[Tool]) -> None:
        for tool in tools.filter(draft__isnull=False).select_related("published"):
            try:
                with noting_published(request, tool):
                    self.message_user(request, _published(tool))
            except Problem as problem:
                self.message_user(request, f"{tool}: {problem.message}", messages.ERROR)


@admin.register(Snippet)
class SnippetAdmin(OwnAndSharedAdmin):
    form = SnippetForm
    list_display = ("name", "owner")
    list_select_related = ("owner",)
    search_fields = ("name",)


@admin.register(ContextLook)
class ContextLookAdmin(LogAdmin):
    list_display = ("created", "who", "whose", "message_id")
    list_select_related = ("who", "whose")
    list_filter = ("created",)
    search_fields = ("who__username", "whose__username")
    ordering = ("-created",)


def _published(tool: Tool) -> str:
    return _("{name} is published.").format(name=publish_draft(tool))


def _words(error: ValueError) -> str:
    if isinstance(error, FaultyField):
        told = (f"{path}: {each['message']}" for path, faults in error.faults.items() for each in faults)
        return "\n".join(told)
    return str(error)


def _told(verdict: Verdict) -> list[str]:
    place = _("Line {line}, column {column}: {fault}")
    return [
        place.format(line=each.line, column=each.column, fault=f"{each.message}. {each.hint}".strip())
        for each in verdict.errors
    ]
