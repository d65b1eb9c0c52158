from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "askweb.accounts"
    label = "accounts"

    def ready(self) -> None:
        from askweb import checks  # noqa: F401 - Django finds what was imported, as drf-spectacular does
        from askweb.accounts import schema  # noqa: F401
