"""Which file each module of ours is: `askweb/…` in an import leads to its address, with a hash or without."""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static

SCRIPTS = settings.BASE_DIR / "static" / "js"


def import_map() -> str:
    """Return the import map as JSON that may stand inside a script element."""
    imports = {f"askweb/{module}": static(f"js/{module}") for module in modules()}
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


def modules() -> tuple[str, ...]:
    """The modules by their path below static/js; looked up once, unless they are being worked on."""
    return _modules.__wrapped__(SCRIPTS) if settings.DEBUG else _modules(SCRIPTS)


@cache
def _modules(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js")))
