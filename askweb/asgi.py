"""The ASGI application: Django over HTTP, the socket, and the engine started before the first of either."""

import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "askweb.settings")
django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402 - needs the app registry
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import re_path  # noqa: E402

from askweb.access_log import keep_tokens_out  # noqa: E402
from askweb.bodies import MeasuredRequest  # noqa: E402
from askweb.conversations.consumers import Socket  # noqa: E402
from askweb.handling import Handler  # noqa: E402
from askweb.runs.engine import engine  # noqa: E402
from askweb.runs.shutting_down import shut_down_with_the_server  # noqa: E402

keep_tokens_out()
django_application = Handler()
django_application.request_class = MeasuredRequest
sockets = URLRouter([re_path(r"^ws/$", Socket.as_asgi())])
routes = ProtocolTypeRouter({"http": django_application, "websocket": AuthMiddlewareStack(sockets)})


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """daphne has no lifespan, so the first connection starts the engine and waits for its start-up sweep."""
    await engine.start()
    shut_down_with_the_server()
    await routes(scope, receive, send)
