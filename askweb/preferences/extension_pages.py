"""The Chrome extension: how to get it, and the download itself."""

import io

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from askweb.extension_files import write_zip
from askweb.preferences.showing import show


@login_required
@require_safe
def extension(request: HttpRequest) -> HttpResponse:
    return show(request, "extension", {"server": settings.ASKWEB_URL})


@login_required
@require_safe
def download(request: HttpRequest) -> FileResponse:
    file = io.BytesIO()
    write_zip(file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename="askweb-extension.zip")
