"""The addresses of tools and snippets, below /api/."""

from django.urls import path

from prompts.api import (
    ToolCheck,
    ToolDetail,
    ToolExport,
    ToolImport,
    ToolList,
    ToolPublish,
    ToolRestore,
    ToolVersions,
)
from prompts.initial_message_api import InitialMessage, InitialMessagePreview
from prompts.snippet_api import SnippetDetail, SnippetList

urlpatterns = [
    path("tools/", ToolList.as_view()),
    path("tools/check/", ToolCheck.as_view()),
    path("tools/import/", ToolImport.as_view()),
    path("tools/export.toml", ToolExport.as_view()),
    path("tools/<str:slug>/", ToolDetail.as_view()),
    path("tools/<str:slug>/publish/", ToolPublish.as_view()),
    path("tools/<str:slug>/versions/", ToolVersions.as_view()),
    path("tools/<str:slug>/versions/<int:number>/restore/", ToolRestore.as_view()),
    path("snippets/", SnippetList.as_view()),
    path("snippets/<uuid:id_>/", SnippetDetail.as_view()),
    path("initial-message/", InitialMessage.as_view()),
    path("initial-message/preview/", InitialMessagePreview.as_view()),
]
