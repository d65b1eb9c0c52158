from typing import Any, TypedDict

from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.people import person_of
from askweb.schema import pages_of
from prompts.models import Tool


class ToolShape(TypedDict):
    slug: str
    name: str
    owner: str
    version: int | None
    template: str
    draft: str | None
    kinds: list[str]
    options: dict[str, Any]
    questions: list[Any]


class ToolList(APIView):
    @extend_schema(responses=pages_of(ToolShape))
    def get(self, request: Request) -> Response:
        """The tools that the person can pick, in order."""
        tools = Tool.objects.offered_to(person_of(request))
        return Response({"results": [tool_shape(tool) for tool in tools], "next": None})


def tool_shape(tool: Tool) -> ToolShape:
    return {
        "slug": tool.slug,
        "name": tool.name_in(get_language() or "en"),
        "owner": "shared" if tool.owner_id is None else "mine",
        "version": tool.published.number if tool.published else None,
        "template": tool.published.source if tool.published else "",
        "draft": None,
        "kinds": tool.kinds,
        "options": {name: value for name, value in tool.options.items() if name != "names"},
        "questions": [],
    }
