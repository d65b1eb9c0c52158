"""Markdown to harmless HTML."""

from __future__ import annotations

import html
import logging
import threading

from markdown import Markdown

from askweb.markdown.extension import AnswerExtension, cleaned
from askweb.markdown.sanitising import sanitised
from askweb.markdown.sharing import Shared

logger = logging.getLogger(__name__)
threads = threading.local()


def render(text: str, shared: Shared | None = None) -> str:
    """Render Markdown as harmless HTML in time linear in its length. Never raises.

    A part of a text gets what it has in common with the parts before it, and uses up their budgets. A text that
    can't be rendered comes back as escaped text, and the error is logged.
    """
    try:
        return sanitised(_converted(text, shared or Shared()))
    except Exception:
        logger.exception("Markdown of %d characters can't be rendered", len(text))
        return render_plain(text)


def render_plain(text: str) -> str:
    """Text as it is written: escaped, with its paragraphs and line breaks."""
    paragraphs = cleaned(text).strip("\n").split("\n\n")
    lines = [html.escape(paragraph.strip("\n")).replace("\n", "<br>") for paragraph in paragraphs]
    return "\n\n".join(f'<p dir="auto">{line}</p>' for line in lines if line)


def _converted(text: str, shared: Shared) -> str:
    renderer = getattr(threads, "renderer", None) or _Renderer()
    threads.renderer = None  # after an exception an instance stays broken: the next text gets a new one
    converted = renderer.convert(text, shared)
    threads.renderer = renderer
    return converted


class _Renderer:
    def __init__(self) -> None:
        self.extension = AnswerExtension()
        self.markdown = Markdown(extensions=[self.extension])

    def convert(self, text: str, shared: Shared) -> str:
        self.extension.shared = shared
        self.markdown.reset()
        return self.markdown.convert(text)
