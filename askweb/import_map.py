"""Where scripts are: `askweb/…` in an import leads to `js/…` of the static files, at their present address."""

import json
from typing import Final

from django.templatetags.static import static

VENDORED: Final = {"katex": "vendor/katex/katex.min.js", "katex.css": "vendor/katex/katex.min.css"}
"""What others wrote, by the name that modules of ours load it by; scripts find style sheets the same way."""


def import_map() -> str:
    """Return the import map as JSON that may stand inside a script element.

    The names of our modules are for browsers only while `ASKWEB_DEBUG` is on: else they come as one.
    """
    imports = {"askweb/": static("js/app.js").removesuffix("app.js")}
    imports |= {name: static(path) for name, path in VENDORED.items()}
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")
