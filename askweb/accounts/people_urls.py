"""The addresses of people and invitations, below /api/."""

from django.urls import path

from askweb.accounts.people_api import (
    InvitationDetail,
    InvitationList,
    PersonDetail,
    PersonList,
    PersonSignInLink,
)

urlpatterns = [
    path("people/", PersonList.as_view()),
    path("people/<uuid:id_>/", PersonDetail.as_view()),
    path("people/<uuid:id_>/sign-in-link/", PersonSignInLink.as_view()),
    path("invitations/", InvitationList.as_view()),
    path("invitations/<uuid:id_>/", InvitationDetail.as_view()),
]
