from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.people import person_of
from askweb.providers.changing import add_provider, change_provider
from askweb.providers.models import Provider
from askweb.providers.shapes import ProviderShape, provider_shape
from askweb.schema import NOTHING, answers, pages_of

BODY = {"application/json": {"type": "object"}}


class ProviderList(APIView):
    scope = "settings"

    @extend_schema(operation_id="providers_list", responses=pages_of(ProviderShape))
    def get(self, request: Request) -> Response:
        """The person's providers and those shared by all."""
        offered = Provider.objects.offered_to(person_of(request))
        return Response({"results": [provider_shape(each) for each in offered], "next": None})

    @extend_schema(request=BODY, responses=answers(ProviderShape, status=201, problems=(400, 401, 403, 422)))
    def post(self, request: Request) -> Response:
        """Add a provider; `api_key` is stored encrypted and never shown again."""
        return Response(provider_shape(add_provider(person_of(request), request.data)), status=201)


class ProviderDetail(APIView):
    scope = "settings"

    @extend_schema(responses=answers(ProviderShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        offered = Provider.objects.offered_to(person_of(request))
        return Response(provider_shape(get_object_or_404(offered, pk=id_)))

    @extend_schema(request=BODY, responses=answers(ProviderShape, problems=(400, 401, 403, 404, 422)))
    def patch(self, request: Request, id_: UUID) -> Response:
        return Response(provider_shape(change_provider(_own(request, id_), request.data)))

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        _own(request, id_).delete()
        return Response(status=204)


def _own(request: Request, id_: UUID) -> Provider:
    return get_object_or_404(person_of(request).providers.all(), pk=id_)
