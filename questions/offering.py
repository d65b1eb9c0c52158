"""What models are told of questions: a function's description, or a paragraph for those without functions.

Both are one template, kept as the shared snippet `ask_user` so that staff can edit it.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from askweb.providers.capabilities import capabilities_of
from askweb.providers.models import Provider
from prompts.handlebars import Template, TemplateError
from prompts.handlebars import compile as compile_template
from prompts.models import Snippet
from questions.deciding import ASK_USER, OURS
from questions.functions import ASK_USER as PARAMETERS

SNIPPET: Final = "ask_user"


def with_ask_user(options: Mapping[str, Any]) -> dict[str, Any]:
    """A request's keys, with the function that asks the person among its `tools`."""
    return _with_function(options, _wording(_edited(), function=True))


def with_shipped_ask_user(options: Mapping[str, Any]) -> dict[str, Any]:
    """Likewise, in the wording that ships: about as long as what staff may have made of it, and not looked up."""
    return _with_function(options, _compiled(shipped_wording()).render({"function": True}).strip())


def _with_function(options: Mapping[str, Any], description: str) -> dict[str, Any]:
    described = {"name": ASK_USER, "description": description, "parameters": PARAMETERS}
    return {**options, "tools": [*(options.get("tools") or ()), {"type": "function", "function": described}]}


def ways_to_ask(options: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The keys with the function, and what the system message says where the model has no functions."""
    edited = _edited()
    return _with_function(options, _wording(edited, function=True)), _wording(edited, function=False)


def has_its_own(options: Mapping[str, Any]) -> bool:
    """Whether a client's functions hold one by the name of ours."""
    return not OURS.isdisjoint(names_of(options))


def names_of(options: Mapping[str, Any]) -> frozenset[str]:
    """The names of a client's functions."""
    names = map(_name, options.get("tools") or ())
    return frozenset(name for name in names if isinstance(name, str))


def is_offered(provider: Provider, model: str, of_tool: str) -> bool:
    """Whether the model is told that it can ask: as the tool says, else the model's own setting.

    On auto a small model on this machine isn't: what it is told of questions it would only repeat.
    """
    setting = capabilities_of(provider, model).questions if of_tool == "auto" else of_tool
    return setting == "always" or (setting != "never" and not provider.is_local)


def store_wording() -> None:
    """Put the wording that ships where staff can edit it, unless it is there."""
    Snippet.objects.get_or_create(owner=None, name=SNIPPET, defaults={"source": shipped_wording()})


@cache
def shipped_wording() -> str:
    return Path(__file__).with_name("ask_user.hbs").read_text(encoding="utf-8")


def _edited() -> str | None:
    return Snippet.objects.filter(owner=None, name=SNIPPET).values_list("source", flat=True).first()


def _wording(edited: str | None, *, function: bool) -> str:
    """As staff have edited it; a wording that fails is replaced by the one that ships."""
    for source in (edited, shipped_wording()):
        try:
            text = _compiled(source or "").render({"function": function}).strip()
        except TemplateError:
            continue
        if text:
            return text
    raise RuntimeError("the wording that ships renders to nothing")


@lru_cache(maxsize=8)
def _compiled(source: str) -> Template:
    return compile_template(source)


def _name(tool: object) -> object:
    function = tool.get("function") if isinstance(tool, Mapping) else None
    return function.get("name") if isinstance(function, Mapping) else None
