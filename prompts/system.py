"""The system message: rendered once when a conversation starts, and kept with it."""

from functools import cache
from pathlib import Path

from prompts.handlebars import Template
from prompts.handlebars import compile as compile_template
from prompts.variables import Asking, variables


def render_system(asking: Asking) -> str:
    return _default_system().render(variables(asking, [])).strip()


@cache
def _default_system() -> Template:
    return compile_template(Path(__file__).with_name("system.hbs").read_text(encoding="utf-8"))
