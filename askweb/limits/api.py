from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.limits.usage import UsageShape, usage_of
from askweb.people import person_of
from askweb.schema import answers


class Usage(APIView):
    @extend_schema(responses=answers(UsageShape))
    def get(self, request: Request) -> Response:
        """The person's runs now and today, by UTC, and the bytes that they store, each with its limit."""
        return Response(usage_of(person_of(request)))
