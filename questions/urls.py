"""The addresses of question sets and remembered answers, below /api/."""

from django.urls import path

from questions.api import (
    QuestionSetAnswer,
    QuestionSetChange,
    QuestionSetDetail,
    QuestionSetDraft,
    QuestionSetExtend,
    QuestionSetList,
    QuestionSetSkip,
    RememberedAnswerDetail,
    RememberedAnswerList,
)

urlpatterns = [
    path("questions/", QuestionSetList.as_view()),
    path("questions/<uuid:id_>/", QuestionSetDetail.as_view()),
    path("questions/<uuid:id_>/answer/", QuestionSetAnswer.as_view()),
    path("questions/<uuid:id_>/skip/", QuestionSetSkip.as_view()),
    path("questions/<uuid:id_>/extend/", QuestionSetExtend.as_view()),
    path("questions/<uuid:id_>/change/", QuestionSetChange.as_view()),
    path("questions/<uuid:id_>/draft/", QuestionSetDraft.as_view()),
    path("remembered-answers/", RememberedAnswerList.as_view()),
    path("remembered-answers/<uuid:id_>/", RememberedAnswerDetail.as_view()),
]
