"""Requests whose body came in chunks, without saying its length beforehand."""

import os
from typing import IO, Any

from django.core.handlers.asgi import ASGIRequest


class MeasuredRequest(ASGIRequest):
    """Knows how long its body is. Django REST framework takes a request without a length for an empty one."""

    def __init__(self, scope: dict[str, Any], body_file: IO[bytes]) -> None:
        super().__init__(scope, body_file)
        if not self.META.get("CONTENT_LENGTH"):
            self.META["CONTENT_LENGTH"] = str(body_file.seek(0, os.SEEK_END))
            body_file.seek(0)
