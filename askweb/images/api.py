"""Images over REST: posted as a form, read as they are."""

from typing import TYPE_CHECKING, Any, TypedDict
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from askweb.errors import Problem
from askweb.images.cleaning import BYTES_LIMIT, clean_image, too_large
from askweb.images.models import Image
from askweb.limits.admitting import admit_bytes
from askweb.people import person_of
from askweb.rates import PostingRate
from askweb.schema import ERROR, answers

if TYPE_CHECKING:
    from rest_framework.parsers import DataAndFiles

FIELDS = ("image", "file")
FORM_BYTES = 64 * 1024
"""What a form may have around its image."""

HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Vary": "Authorization, Cookie",
    "X-Content-Type-Options": "nosniff",
}
FORM = {
    "type": "object",
    "properties": {"image": {"type": "string", "format": "binary"}},
    "required": ["image"],
}


class ImageShape(TypedDict):
    id: UUID
    media_type: str
    width: int
    height: int
    size: int


class ImageFormParser(MultiPartParser):
    """A form with one image; a longer one is refused before it is parsed."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> "DataAndFiles[Any, Any]":
        if int(parser_context["request"].META["CONTENT_LENGTH"]) > BYTES_LIMIT + FORM_BYTES:
            raise too_large()
        try:
            return super().parse(stream, media_type, parser_context)
        except ParseError as error:
            message = _("This form can't be read. Post multipart/form-data with one file, `image`.")
            raise Problem("form.broken", message, status=400) from error


class ImageList(APIView):
    parser_classes = (ImageFormParser,)
    throttle_classes = (PostingRate,)
    scope = "ask"

    @extend_schema(
        request={"multipart/form-data": FORM},
        responses=answers(ImageShape, status=201, problems=(400, 401, 403, 413, 415, 422)),
    )
    def post(self, request: Request) -> Response:
        """Store an image, at most 5 MB, decoded and encoded anew: what it was taken with and where is gone."""
        clean = clean_image(_posted(request))
        admit_bytes(person_of(request), len(clean.data))
        image = Image.objects.store(person_of(request), clean)
        return Response(_shape(image), status=201)


class ImageDetail(APIView):
    @extend_schema(
        responses={(200, "image/*"): OpenApiTypes.BINARY} | dict.fromkeys((401, 403, 404), ERROR),
    )
    def get(self, request: Request, id_: UUID) -> HttpResponse:
        """The image itself. It never changes."""
        image = get_object_or_404(person_of(request).images, pk=id_)
        return HttpResponse(image.data, content_type=image.media_type, headers=HEADERS)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """A client may accept images only; there is nothing to choose from."""
        return super().perform_content_negotiation(request, force=True)


def _posted(request: Request) -> bytes:
    file = next((request.FILES[field] for field in FIELDS if field in request.FILES), None)
    if file is None:
        raise Problem("image.invalid", _("There is no image in this form. Post one file, `image`."))
    if (file.size or 0) > BYTES_LIMIT:
        raise too_large()
    content: bytes = file.read()
    return content


def _shape(image: Image) -> ImageShape:
    return {
        "id": image.pk,
        "media_type": image.media_type,
        "width": image.width,
        "height": image.height,
        "size": image.size,
    }
