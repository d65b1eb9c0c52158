from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.audit.models import Act
from askweb.audit.noting import note
from askweb.conversations.exporting import AnyAccept, file_response
from askweb.people import person_of
from askweb.preferences.changing import SettingsShape, change_settings, settings_shape
from askweb.preferences.deleting import DeletedShape, delete_everything
from askweb.preferences.exporting import zip_pieces
from askweb.preferences.purging import StoredShape, conversations_of, purge, read_asked_host
from askweb.schema import ERROR, answers, takes

ZIP = "application/zip"


class Settings(APIView):
    scope = "settings"

    @extend_schema(responses=answers(SettingsShape))
    def get(self, request: Request) -> Response:
        """The person's settings. Clients read nothing on pages of `blocked_hosts`; the server refuses them, too."""
        return Response(settings_shape(person_of(request)))

    @extend_schema(request=takes(), responses=answers(SettingsShape, problems=(400, 401, 403, 422)))
    def patch(self, request: Request) -> Response:
        """Change what is named; with any fault nothing is changed."""
        person = person_of(request)
        change_settings(person, request.data)
        return Response(settings_shape(person))


class Stored(APIView):
    """What is stored of a host and its subdomains."""

    scope = "settings"

    @extend_schema(operation_id="stored_retrieve", responses=answers(StoredShape, problems=(401, 403, 422)))
    def get(self, request: Request, host: str) -> Response:
        """How many conversations hold something of it."""
        host = read_asked_host(host)
        shape: StoredShape = {"host": host, "conversations": len(conversations_of(person_of(request), host))}
        return Response(shape)

    @extend_schema(operation_id="stored_destroy", responses=answers(StoredShape, problems=(401, 403, 422)))
    def delete(self, request: Request, host: str) -> Response:
        """Delete these conversations, and say how many there were."""
        host = read_asked_host(host)
        shape: StoredShape = {"host": host, "conversations": purge(person_of(request), host)}
        return Response(shape)


class Export(APIView):
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, ZIP): OpenApiTypes.BINARY, 401: ERROR, 403: ERROR})
    def get(self, request: Request) -> HttpResponseBase:
        """Everything of the person's as a zip, but keys."""
        note(Act.EVERYTHING_EXPORTED, request)
        name = f"askweb {timezone.now():%Y-%m-%d}.zip"
        return file_response(request._request, zip_pieces(person_of(request)), ZIP, name)


class DeleteEverything(APIView):
    scope = "settings"

    @extend_schema(request=takes(confirm=str), responses=answers(DeletedShape, problems=(400, 401, 403, 422)))
    def post(self, request: Request) -> Response:
        """Delete everything of the person's but the account; `confirm` must hold their user name."""
        deleted = delete_everything(person_of(request), request.data)
        note(Act.EVERYTHING_DELETED, request)
        return Response(deleted)
