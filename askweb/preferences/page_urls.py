"""The addresses of the pages of settings. The initial message's are among those of the tools."""

from django.urls import path

from askweb.preferences import (
    account_pages,
    device_pages,
    extension_pages,
    pages,
    people_pages,
    privacy_pages,
    provider_pages,
)

urlpatterns = [
    path("settings/", pages.general, name="settings"),
    path("settings/providers/", provider_pages.providers, name="providers"),
    path("settings/providers/new/", provider_pages.new_provider, name="new-provider"),
    path("settings/providers/<uuid:id_>/", provider_pages.provider, name="provider"),
    path("settings/remembered-answers/", pages.remembered_answers, name="remembered-answers"),
    path("settings/privacy/", privacy_pages.privacy, name="privacy"),
    path("settings/account/", account_pages.account, name="account"),
    path("settings/people/", people_pages.people, name="people"),
    path("settings/people/<uuid:id_>/", people_pages.person, name="person"),
    path("settings/extension/", extension_pages.extension, name="extension"),
    path("settings/extension/askweb-extension.zip", extension_pages.download, name="extension-download"),
    path("settings/devices/", device_pages.devices, name="devices"),
]
