from django.apps import AppConfig


class ProvidersConfig(AppConfig):
    name = "askweb.providers"
    label = "providers"
