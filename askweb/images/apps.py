from django.apps import AppConfig


class ImagesConfig(AppConfig):
    name = "askweb.images"
    label = "images"
