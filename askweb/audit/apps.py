from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "askweb.audit"
    label = "audit"

    def ready(self) -> None:
        from askweb.audit import signing_in  # noqa: F401 - its receivers are connected by being imported
