from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "askweb.runs"
    label = "runs"
