from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    name = "askweb.conversations"
    label = "conversations"
