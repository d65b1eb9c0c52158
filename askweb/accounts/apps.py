from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "askweb.accounts"
    label = "accounts"
