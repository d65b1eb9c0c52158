"""The addresses of the pages of tools and of the initial message."""

from django.urls import path

from prompts import initial_message_pages, pages

urlpatterns = [
    path("tools/", pages.tools, name="tools"),
    path("tools/<str:slug>/", pages.tool, name="tool"),
    path("tools/<str:slug>/preview/", pages.tool_preview, name="tool-preview"),
    path("tools/<str:slug>/contexts/", pages.tool_contexts, name="tool-contexts"),
    path("tools/<str:slug>/diff/", pages.tool_diff, name="tool-diff"),
    path("tools/<str:slug>/replay/", pages.tool_replay, name="tool-replay"),
    path("settings/initial-message/", initial_message_pages.initial_message, name="initial-message"),
    path(
        "settings/initial-message/preview/",
        initial_message_pages.initial_message_preview,
        name="initial-message-preview",
    ),
]
