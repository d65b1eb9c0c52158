"""The addresses of a person's settings and of their data as a whole, below /api/."""

from django.urls import path

from askweb.limits.api import Usage
from askweb.preferences.api import DeleteEverything, Export, Settings, Stored

urlpatterns = [
    path("settings/", Settings.as_view()),
    path("usage/", Usage.as_view()),
    path("stored/<str:host>/", Stored.as_view()),
    path("export/", Export.as_view(), name="export-everything"),
    path("delete-everything/", DeleteEverything.as_view()),
]
