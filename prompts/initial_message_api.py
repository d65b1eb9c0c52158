from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.people import person_of
from askweb.schema import answers, takes
from prompts.initial_message import (
    InitialMessageShape,
    change_initial_message,
    initial_message_shape,
    preview_initial_message,
)


class InitialMessage(APIView):
    scope = "settings"

    @extend_schema(responses=answers(InitialMessageShape))
    def get(self, request: Request) -> Response:
        """The template of the person's system messages, and what a conversation would begin with now."""
        return Response(initial_message_shape(person_of(request)))

    @extend_schema(
        request=takes(template=str | None),
        responses=answers(InitialMessageShape, problems=(400, 401, 403, 422)),
    )
    def put(self, request: Request) -> Response:
        """Change the `template`; null goes back to the one that ships. Conversations that exist keep theirs."""
        person = person_of(request)
        change_initial_message(person, request.data)
        return Response(initial_message_shape(person))


class InitialMessagePreview(APIView):
    scope = "read"

    @extend_schema(
        request=takes(template=str | None),
        responses=answers(InitialMessageShape, problems=(400, 401, 403, 422)),
    )
    def post(self, request: Request) -> Response:
        """Check and preview a `template`; nothing is stored."""
        return Response(preview_initial_message(person_of(request), request.data))
