from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from askweb.errors import Problem, not_found


def read_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of someone else's that can only be read: it would answer other methods with a page, or a fault."""

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        problem = Problem("method_not_allowed", _("This can only be read: use GET."), status=405)
        return JsonResponse(problem.body(), status=405, headers={"Allow": "GET, HEAD"})

    return answer


@extend_schema(exclude=True)
class NothingHere(APIView):
    """Any other address below /api/: the one error shape instead of a page."""

    permission_classes = (AllowAny,)
    authentication_classes = ()

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise not_found()
