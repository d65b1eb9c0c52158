"""Every address of the server."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from askweb.accounts.api import DeviceDetail, DeviceList, Pairing, SocketTickets
from askweb.accounts.invitation_pages import accept_invitation
from askweb.accounts.pages import sign_in, sign_in_with_link, sign_out
from askweb.accounts.pairing_pages import pair
from askweb.accounts.people_urls import urlpatterns as people_api
from askweb.browsing import BrowseSchema
from askweb.conversations import api as conversations
from askweb.conversations import branch_pages, list_pages, pages
from askweb.images.api import ImageDetail, ImageList
from askweb.missing import NothingHere, read_only
from askweb.openai import api as openai
from askweb.preferences.page_urls import urlpatterns as settings_pages
from askweb.preferences.urls import urlpatterns as preferences_api
from askweb.providers.api import (
    PresetList,
    ProviderDetail,
    ProviderFind,
    ProviderList,
    ProviderModels,
    ProviderTest,
)
from askweb.rates import SignInRate, limited
from askweb.runs.api import RunDetail, RunStop
from prompts.page_urls import urlpatterns as tool_pages
from prompts.urls import urlpatterns as prompts_api
from questions.page_urls import urlpatterns as question_pages
from questions.urls import urlpatterns as questions_api

api = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("schema/browse/", read_only(BrowseSchema.as_view(url_name="schema")), name="schema-browse"),
    path("socket-tickets/", SocketTickets.as_view()),
    path("pairing/", Pairing.as_view()),
    path("devices/", DeviceList.as_view()),
    path("devices/<uuid:id_>/", DeviceDetail.as_view()),
    path("conversations/", conversations.ConversationList.as_view(), name="api-conversations"),
    path("conversations/import/", conversations.ConversationImport.as_view()),
    path("conversations/<uuid:id_>/", conversations.ConversationDetail.as_view()),
    path(
        "conversations/<uuid:id_>/export.json",
        conversations.ConversationExport.as_view(),
        {"ending": "json"},
        "export-json",
    ),
    path(
        "conversations/<uuid:id_>/export.md",
        conversations.ConversationExport.as_view(),
        {"ending": "md"},
        "export-md",
    ),
    path("conversations/<uuid:id_>/messages/", conversations.ConversationMessages.as_view()),
    path("messages/<uuid:id_>/", conversations.MessageDetail.as_view()),
    path("messages/<uuid:id_>/edit/", conversations.MessageEdit.as_view()),
    path("messages/<uuid:id_>/regenerate/", conversations.MessageRegenerate.as_view()),
    path("messages/<uuid:id_>/continue/", conversations.MessageContinue.as_view()),
    path("messages/<uuid:id_>/show/", conversations.MessageShow.as_view()),
    path("messages/<uuid:id_>/assembly/", conversations.MessageAssembly.as_view()),
    path("assemble/", conversations.Assemble.as_view()),
    path("images/", ImageList.as_view()),
    path("images/<uuid:id_>/", ImageDetail.as_view()),
    path("runs/<uuid:id_>/", RunDetail.as_view()),
    path("runs/<uuid:id_>/stop/", RunStop.as_view()),
    path("providers/", ProviderList.as_view()),
    path("provider-presets/", PresetList.as_view()),
    path("providers/find/", ProviderFind.as_view()),
    path("providers/<uuid:id_>/", ProviderDetail.as_view()),
    path("providers/<uuid:id_>/test/", ProviderTest.as_view()),
    path("providers/<uuid:id_>/models/", ProviderModels.as_view()),
    *people_api,
    *preferences_api,
    *prompts_api,
    *questions_api,
    re_path(r"", NothingHere.as_view()),
]

handler400 = "askweb.errors.answer_bad_request"
handler500 = "askweb.errors.answer_fault"

v1 = [
    path("chat/completions", openai.chat_completions),
    path("models", openai.models),
    path("models/<path:id_>", openai.model),
    re_path(r"", openai.nothing_here),
]

urlpatterns = [
    path("", pages.home, name="home"),
    path("conversations/list/", list_pages.act_on_listed, name="listed"),
    path("conversations/hosts/", list_pages.hosts, name="hosts"),
    path("conversations/import/", list_pages.import_file, name="import"),
    path("conversations/<uuid:id_>/", pages.conversation, name="conversation"),
    path("conversations/<uuid:id_>/stop/", pages.stop, name="conversation-stop"),
    path("conversations/<uuid:id_>/delete/", pages.delete, name="conversation-delete"),
    path("conversations/<uuid:id_>/rename/", pages.rename, name="conversation-rename"),
    path("conversations/<uuid:id_>/mentions/", pages.mentions, name="conversation-mentions"),
    path("messages/<uuid:id_>/", pages.message, name="message"),
    path("messages/<uuid:id_>/show/", branch_pages.show, name="message-show"),
    path("messages/<uuid:id_>/edit/", branch_pages.edit, name="message-edit"),
    path("messages/<uuid:id_>/again/", branch_pages.again, name="message-again"),
    path("messages/<uuid:id_>/regenerate/", branch_pages.regenerate, name="message-regenerate"),
    path("messages/<uuid:id_>/continue/", branch_pages.go_on, name="message-continue"),
    path("messages/<uuid:id_>/sent/", pages.sent, name="message-sent"),
    path("messages/<uuid:id_>/context/", pages.context, name="message-context"),
    *settings_pages,
    *tool_pages,
    *question_pages,
    path("sign-in/", sign_in, name="sign-in"),
    path("sign-in/<str:token>/", sign_in_with_link, name="sign-in-link"),
    path("sign-out/", sign_out, name="sign-out"),
    path("invitations/<str:token>/", accept_invitation, name="invitation"),
    path("pair/", pair, name="pair"),
    path("admin/login/", limited(SignInRate, method="POST")(admin.site.login)),
    path("admin/logout/", sign_out),
    path("admin/", admin.site.urls),
    path("favicon.ico", RedirectView.as_view(url=static("icon.svg"))),
    path("api/", include(api)),
    path("v1/", include(v1)),
]
