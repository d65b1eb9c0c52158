from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.people import person_of
from askweb.schema import NOTHING, answers, pages_of, takes
from prompts.api import owner_asked, require_staff
from prompts.models import Snippet
from prompts.snippets import change_snippet, create_snippet, delete_snippet
from prompts.tool_shapes import SnippetShape, snippet_shape

SNIPPET_NAME = {"type": "string", "minLength": 1, "maxLength": 100}


class SnippetList(APIView):
    scope = "settings"

    @extend_schema(operation_id="snippets_list", responses=pages_of(SnippetShape))
    def get(self, request: Request) -> Response:
        """The person's own snippets and the shared ones, by name."""
        offered = Snippet.objects.offered_to(person_of(request))
        return Response({"results": [snippet_shape(each) for each in offered], "next": None})

    @extend_schema(
        request=takes(name=SNIPPET_NAME, source=str),
        responses=answers(SnippetShape, status=201, problems=(400, 401, 403, 422)),
    )
    def post(self, request: Request) -> Response:
        """Add a snippet of the person's; `?owner=shared` adds a shared one."""
        person = person_of(request)
        shared = owner_asked(request) == "shared"
        if shared:
            require_staff(person)
        snippet = create_snippet(None if shared else person, request.data)
        return Response(snippet_shape(snippet), status=201)


class SnippetDetail(APIView):
    scope = "settings"

    @extend_schema(responses=answers(SnippetShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        return Response(snippet_shape(_offered(request, id_)))

    @extend_schema(request=takes(), responses=answers(SnippetShape, problems=(400, 401, 403, 404, 409, 422)))
    def patch(self, request: Request, id_: UUID) -> Response:
        """Change its name or text, unless that breaks what takes it in."""
        return Response(snippet_shape(change_snippet(_editable(request, id_), request.data)))

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        delete_snippet(_editable(request, id_))
        return Response(status=204)


def _offered(request: Request, id_: UUID) -> Snippet:
    return get_object_or_404(Snippet.objects.offered_to(person_of(request)), pk=id_)


def _editable(request: Request, id_: UUID) -> Snippet:
    snippet = _offered(request, id_)
    if snippet.owner_id is None:
        require_staff(person_of(request))
    return snippet
