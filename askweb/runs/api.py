from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.people import person_of
from askweb.runs.models import Run
from askweb.runs.shapes import RunShape, run_shape
from askweb.runs.stopping import stop_run
from askweb.schema import answers


class RunDetail(APIView):
    @extend_schema(responses=answers(RunShape, problems=(401, 403, 404)))
    def get(self, request: Request, id_: UUID) -> Response:
        return Response(run_shape(_run(request, id_)))


class RunStop(APIView):
    @extend_schema(request=None, responses=answers(RunShape, problems=(401, 403, 404)))
    def post(self, request: Request, id_: UUID) -> Response:
        """Stop the run; again changes nothing. The socket tells when it has stopped."""
        stop_run(_run(request, id_))
        return Response(run_shape(_run(request, id_)))


def _run(request: Request, id_: UUID) -> Run:
    return get_object_or_404(Run.objects.filter(conversation__user=person_of(request)), pk=id_)
