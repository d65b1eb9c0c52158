"""The local model as this server's settings have it."""

from functools import cache

from django.conf import settings

from askweb.providers.local.choosing import LocalModel, NoLocalModel, local_model
from askweb.providers.local.supervising import LocalServer


def configured_model() -> LocalModel | NoLocalModel:
    return local_model(settings.ASKWEB_LOCAL_MODEL or "")


@cache
def local_server() -> LocalServer:
    """The one of this process. It must be used from one event loop, the one that runs the runs."""
    return LocalServer(configured_model())
