from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "askweb.accounts"
    label = "accounts"

    def ready(self) -> None:
        from askweb.accounts import schema  # noqa: F401 - drf-spectacular finds what was imported
