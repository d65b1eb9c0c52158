"""Which file each module of ours is: `askweb/…` in an import leads to its address, with a hash or without."""

import json
from functools import cache

from django.conf import settings
from django.templatetags.static import static
from django.urls import get_script_prefix

SCRIPTS = settings.BASE_DIR / "static" / "js"
VENDORED = {"katex": "vendor/katex/katex.min.js", "katex.css": "vendor/katex/katex.min.css"}
"""What others wrote, by the name that modules of ours load it by; scripts find style sheets the same way."""


def import_map() -> str:
    """Return the import map as JSON that may stand inside a script element.

    It is made once, unless the modules are being worked on: each address costs some 30 µs.
    """
    make = _import_map.__wrapped__ if settings.DEBUG else _import_map
    return make(get_script_prefix(), settings.STORAGES["staticfiles"]["BACKEND"])


def modules() -> list[str]:
    """The modules by their path below static/js."""
    return sorted(path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.rglob("*.js"))


@cache
def _import_map(_prefix: str, _storage: str) -> str:
    imports = {f"askweb/{module}": static(f"js/{module}") for module in modules()}
    imports |= {name: static(path) for name, path in VENDORED.items()}
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")
