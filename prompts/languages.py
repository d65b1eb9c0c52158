"""Languages by their names in words: a prompt says "Français", never "fr"."""

import re
import unicodedata
from typing import Final

from django.conf.locale import LANG_INFO

SAME_AS_PAGE: Final = "page"
SAME_AS_QUESTION: Final = "question"
"""What a person may set instead of a language: the page's, or that of their own words."""

CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
OWN_NAMES = {
    "zh": "中文",
    "zh-cn": "简体中文",
    "zh-sg": "简体中文",
    "zh-tw": "繁體中文",
    "zh-hk": "繁體中文",
    "zh-mo": "繁體中文",
    "yue": "粵語",
    "fil": "Filipino",
    "tl": "Tagalog",
    "la": "Latina",
    "no": "norsk",
    "iw": "עברית",
}
"""By code, where Django has no name, or one that is not what people call it."""


def language_name(text: str) -> str:
    """Return the language's own name for a code such as `zh-CN`; any other text is a name already.

    A region that is not known is left aside: `de-LU` is Deutsch. A code of no known language stays as it is.
    """
    text = unicodedata.normalize("NFC", text.strip())
    if not CODE.fullmatch(text):
        return text
    subtags = text.lower().replace("_", "-").split("-")
    codes = ("-".join(subtags[:count]) for count in range(len(subtags), 0, -1))
    return next((name for code in codes if (name := _own_name(code))), text)


def _own_name(code: str) -> str:
    known = OWN_NAMES.get(code) or LANG_INFO.get(code, {}).get("name_local", "")
    return unicodedata.normalize("NFC", str(known))
