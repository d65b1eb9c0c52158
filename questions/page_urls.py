"""The addresses of the pages of question sets."""

from django.urls import path

from questions import pages

urlpatterns = [
    path("questions/", pages.question_sets, name="question-sets"),
    path("questions/<uuid:id_>/", pages.question_set, name="question-set"),
    path("questions/<uuid:id_>/panel/", pages.panel, name="question-set-panel"),
    path("questions/<uuid:id_>/summary/", pages.summary, name="question-set-summary"),
    path("questions/<uuid:id_>/answer/", pages.answer, name="question-set-answer"),
]
