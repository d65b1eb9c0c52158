from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from askweb.errors import not_found


@extend_schema(exclude=True)
class NothingHere(APIView):
    """Any other address below /api/: the one error shape instead of a page."""

    permission_classes = (AllowAny,)
    authentication_classes = ()

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise not_found()
