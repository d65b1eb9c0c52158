"""A message's text as HTML: Markdown from the model, plain text from the person, both harmless."""

from askweb.markdown.rendering import render as render_markdown
from askweb.markdown.rendering import render_plain as render_as_written


def render_reply(text: str) -> str:
    """Render a model's Markdown. Scripts, styles and images don't survive; links open in a new tab."""
    return render_markdown(text)


def render_plain(text: str) -> str:
    """A person's words as they wrote them: escaped, with their line breaks."""
    return render_as_written(text)


def render(role: str, text: str) -> str:
    return render_reply(text) if role == "assistant" else render_plain(text)
