from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.accounts.models import User
from askweb.errors import Problem, invalid, too_large
from askweb.parsing import StrictJSONParser
from askweb.people import person_of
from askweb.schema import ERROR, NOTHING, answers, pages_of, takes
from prompts.checking import check_snippet, check_template
from prompts.editing import change_tool, create_tool, delete_tool
from prompts.exporting import write_tools
from prompts.fields import Reader, fault, one_of, read_body, text
from prompts.importing import import_tools
from prompts.models import Snippet, Tool
from prompts.noting import note_imported, note_published, noting_published
from prompts.publishing import publish_draft, restore
from prompts.snippets import read_snippet_name
from prompts.tool_shapes import (
    ImportShape,
    ToolShape,
    VerdictShape,
    VersionShape,
    tool_shape,
    verdict_shape,
    version_shape,
)

TOML = {"application/toml": {"type": "string"}, **takes(toml=str)}
FILE = {(200, "application/toml"): OpenApiTypes.STR} | dict.fromkeys((401, 403), ERROR)
NAME = {"type": "string", "pattern": r"\S", "maxLength": 200}
OWNERS = ("mine", "shared")
VERSIONS_A_PAGE = 50


class TextParser(BaseParser):
    """Any body that is no JSON, as UTF-8 text."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(settings.ASKWEB_BODY_LIMIT + 1)
        if len(body) > settings.ASKWEB_BODY_LIMIT:
            raise too_large()
        try:
            return body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Problem("text.broken", _("The file is not UTF-8."), status=400) from error


class ToolList(APIView):
    scope = "settings"

    @extend_schema(operation_id="tools_list", responses=pages_of(ToolShape))
    def get(self, request: Request) -> Response:
        """The tools that the person can pick, in order; with `?drafts=true` also what was never published.

        A shared tool that one of the person's own hides is left out.
        """
        person = person_of(request)
        drafts = request.query_params.get("drafts") == "true"
        tools = list(Tool.objects.seen_by(person) if drafts else Tool.objects.offered_to(person))
        own = {tool.slug for tool in tools if tool.owner_id is not None and tool.published_id is not None}
        seen = [tool for tool in tools if tool.owner_id is not None or tool.slug not in own]
        return Response({"results": [_shape(person, tool) for tool in seen], "next": None})

    @extend_schema(
        request=takes(name=NAME), responses=answers(ToolShape, status=201, problems=(400, 401, 403, 422))
    )
    def post(self, request: Request) -> Response:
        """Add a tool: from a `template`, which is published, a `draft`, or as a `copy_of` another."""
        person = person_of(request)
        shared = owner_asked(request) == "shared"
        if shared:
            require_staff(person)
        tool = create_tool(person, request.data, shared=shared)
        note_published(request, tool)
        return Response(_shape(person, tool), status=201)


class ToolDetail(APIView):
    scope = "settings"

    @extend_schema(responses=answers(ToolShape, problems=(401, 403, 404)))
    def get(self, request: Request, slug: str) -> Response:
        """One's own tool of that slug, else the shared one; `?owner=shared` asks for that one."""
        return Response(_shape(person_of(request), _seen(request, slug)))

    @extend_schema(request=takes(), responses=answers(ToolShape, problems=(400, 401, 403, 404, 422)))
    def patch(self, request: Request, slug: str) -> Response:
        tool = change_tool(_editable(request, slug), request.data)
        return Response(_shape(person_of(request), tool))

    @extend_schema(responses=NOTHING | {409: ERROR})
    def delete(self, request: Request, slug: str) -> Response:
        delete_tool(_editable(request, slug))
        return Response(status=204)


class ToolPublish(APIView):
    scope = "settings"

    @extend_schema(request=None, responses=answers(ToolShape, problems=(401, 403, 404, 422)))
    def post(self, request: Request, slug: str) -> Response:
        """Make the draft the next version. One with errors is refused, each with line, column and hint."""
        tool = _editable(request, slug)
        with noting_published(request, tool):
            publish_draft(tool)
        return Response(_shape(person_of(request), tool))


class ToolVersions(APIView):
    @extend_schema(operation_id="tool_versions_list", responses=pages_of(VersionShape))
    def get(self, request: Request, slug: str) -> Response:
        """Every version, newest first, 50 a page."""
        tool = _seen(request, slug)
        versions = tool.versions.order_by("-number")
        before = request.query_params.get("before", "")
        if before.isdecimal() and len(before) < 10:
            versions = versions.filter(number__lt=int(before))
        page = list(versions[: VERSIONS_A_PAGE + 1])
        shown = page[:VERSIONS_A_PAGE]
        more = f"{request.path}?owner={_owner_of(tool)}&before={shown[-1].number}" if page != shown else None
        return Response({"results": [version_shape(each, tool.published_id) for each in shown], "next": more})


class ToolRestore(APIView):
    scope = "settings"

    @extend_schema(request=None, responses=answers(ToolShape, problems=(401, 403, 404, 422)))
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish an earlier version again, as a new one that tells which it is."""
        tool = _editable(request, slug)
        with noting_published(request, tool):
            restore(tool, number)
        return Response(_shape(person_of(request), tool))


class ToolCheck(APIView):
    scope = "read"

    @extend_schema(
        request=takes(template=str), responses=answers(VerdictShape, problems=(400, 401, 403, 422))
    )
    def post(self, request: Request) -> Response:
        """Errors, warnings and variables of a `template`; as the text of a `snippet` where one is named.

        `owner: "shared"` checks it with the shared snippets alone.
        """
        fields = read_body(request.data, CHECK_READERS)
        if "template" not in fields:
            raise invalid({"template": [fault(_("This is needed."), "missing")]})
        owner_id = None if fields.get("owner") == "shared" else person_of(request).pk
        snippets, source = Snippet.objects.reached_from(owner_id), fields["template"]
        name = fields.get("snippet")
        verdict = check_snippet(name, source, snippets) if name else check_template(source, snippets)
        return Response(verdict_shape(verdict))


class ToolExport(APIView):
    @extend_schema(responses=FILE)
    def get(self, request: Request) -> HttpResponse:
        """The person's own tools as a file; with `?owner=shared` the shared ones."""
        owner = None if owner_asked(request) == "shared" else person_of(request)
        tools = Tool.objects.filter(owner=owner).select_related("published").order_by("order", "slug")
        if owner is None:
            tools = tools.filter(published__isnull=False)
        headers = {"Content-Disposition": 'attachment; filename="tools.toml"'}
        return HttpResponse(
            write_tools(tools), content_type="application/toml; charset=utf-8", headers=headers
        )


class ToolImport(APIView):
    scope = "settings"
    parser_classes = (StrictJSONParser, TextParser)

    @extend_schema(request=TOML, responses=answers(ImportShape, problems=(400, 401, 403, 413, 422)))
    def post(self, request: Request) -> Response:
        """Create or update a tool for each table of a TOML file, sent as it is or as JSON `{"toml": …}`."""
        person = person_of(request)
        shared = owner_asked(request) == "shared"
        if shared:
            require_staff(person)
        toml = (
            request.data["toml"]
            if isinstance(request.data, dict) and "toml" in request.data
            else request.data
        )
        if not isinstance(toml, str):
            raise invalid({"toml": [fault(_("Must be the text of a TOML file."))]})
        imported = import_tools(None if shared else person, toml)
        if shared:
            note_imported(request, imported)
        return Response(asdict(imported))


def _shape(person: User, tool: Tool) -> ToolShape:
    return tool_shape(tool, editable=tool.owner_id is not None or person.is_staff)


def _seen(request: Request, slug: str) -> Tool:
    tool = Tool.objects.seen_as(person_of(request), slug, owner_asked(request))
    if tool is None:
        raise Http404
    return tool


def _editable(request: Request, slug: str) -> Tool:
    """The person's own tool, else the shared one, which only staff may change."""
    tool = _seen(request, slug)
    if tool.owner_id is None:
        require_staff(person_of(request))
    return tool


def require_staff(person: User) -> None:
    if not person.is_staff:
        raise PermissionDenied


def owner_asked(request: Request) -> str | None:
    owner = request.query_params.get("owner")
    if owner is not None and owner not in OWNERS:
        raise invalid({"owner": [fault(_("Must be one of: {allowed}.").format(allowed=", ".join(OWNERS)))]})
    return owner


def _owner_of(tool: Tool) -> str:
    return "shared" if tool.owner_id is None else "mine"


CHECK_READERS: dict[str, Reader] = {
    "template": text(256 * 1024, blank=True, trimmed=False),
    "snippet": read_snippet_name,
    "owner": one_of(*OWNERS),
}
