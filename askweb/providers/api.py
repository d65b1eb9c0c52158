from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.errors import Problem, invalid
from askweb.people import person_of
from askweb.providers.changing import add_provider, change_provider
from askweb.providers.checking import check, models_of
from askweb.providers.errors import ProviderError
from askweb.providers.finding import find_now
from askweb.providers.models import LOCAL, ModelInfo, Provider
from askweb.providers.noting import noting_shared
from askweb.providers.presets import presets
from askweb.providers.shapes import PresetShape, ProviderShape, VerdictShape, preset_shape, provider_shape
from askweb.rates import PostingRate
from askweb.schema import NOTHING, answers, pages_of, takes


class ProviderList(APIView):
    scope = "settings"

    @extend_schema(operation_id="providers_list", responses=pages_of(ProviderShape))
    def get(self, request: Request) -> Response:
        """The person's providers and those shared by all."""
        person = person_of(request)
        offered = Provider.objects.offered_to(person)
        return Response({"results": [provider_shape(each, person) for each in offered], "next": None})

    @extend_schema(
        request=takes(), responses=answers(ProviderShape, status=201, problems=(400, 401, 403, 422))
    )
    def post(self, request: Request) -> Response:
        """Add a provider; `api_key` is stored encrypted and never shown again."""
        person = person_of(request)
        return Response(provider_shape(add_provider(person, request.data), person), status=201)


class ProviderDetail(APIView):
    scope = "settings"

    @extend_schema(responses=answers(ProviderShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        return Response(provider_shape(_offered(request, id_), person_of(request)))

    @extend_schema(request=takes(), responses=answers(ProviderShape, problems=(400, 401, 403, 404, 422)))
    def patch(self, request: Request, id_: UUID) -> Response:
        """Change what is named. Owners also change what is shared, and with `shared` share it or keep it to themselves."""
        person = person_of(request)
        with noting_shared(request, id_):
            changed = change_provider(_changeable(request, id_), request.data, person)
        return Response(provider_shape(changed, person))

    @extend_schema(responses=NOTHING)
    def delete(self, request: Request, id_: UUID) -> Response:
        with noting_shared(request, id_):
            _changeable(request, id_).delete()
        return Response(status=204)


class ProviderTest(APIView):
    scope = "settings"
    throttle_classes = (PostingRate,)

    @extend_schema(request=takes(), responses=answers(VerdictShape, problems=(400, 401, 403, 404, 422)))
    def post(self, request: Request, id_: UUID) -> Response:
        """Make one tiny real call, to `model` or the default one, and say in words how it went."""
        model = request.data.get("model", "") if isinstance(request.data, dict) else ""
        if not isinstance(model, str):
            raise invalid({"model": [{"code": "invalid", "message": _("Must be a text.")}]})
        return Response(check(_offered(request, id_), model))


class ProviderModels(APIView):
    @extend_schema(
        operation_id="provider_models_list", responses=pages_of(ModelInfo, problems=(401, 403, 404, 502))
    )
    def get(self, request: Request, id_: UUID) -> Response:
        """Ask the provider which models it has."""
        try:
            models = models_of(_offered(request, id_))
        except ProviderError as error:
            raise Problem(error.code, error.message, status=502) from error
        return Response({"results": models, "next": None})


class ProviderFind(APIView):
    scope = "settings"

    @extend_schema(request=None, responses=pages_of(ProviderShape))
    def post(self, request: Request) -> Response:
        """Look for providers on the server's machine and in its environment. They are the owner's alone."""
        person = person_of(request)
        if not person.is_superuser:
            raise PermissionDenied
        find_now()
        found = Provider.objects.offered_to(person).filter(found=True)
        return Response({"results": [provider_shape(each, person) for each in found], "next": None})


class PresetList(APIView):
    @extend_schema(operation_id="provider_presets_list", responses=pages_of(PresetShape))
    def get(self, request: Request) -> Response:
        """Known providers: name one as `preset` when adding a provider, and only the key is missing."""
        known = [preset_shape(each) for each in presets().values() if each.slug != LOCAL]
        return Response({"results": known, "next": None})


def _offered(request: Request, id_: UUID) -> Provider:
    return get_object_or_404(Provider.objects.offered_to(person_of(request)).select_related("user"), pk=id_)


def _changeable(request: Request, id_: UUID) -> Provider:
    return get_object_or_404(Provider.objects.changeable_by(person_of(request)), pk=id_)
