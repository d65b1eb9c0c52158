"""A message's text as HTML: Markdown from the model, plain text from the person, both harmless."""

from collections.abc import Sequence
from uuid import UUID

from askweb.markdown.rendering import render as render_markdown
from askweb.markdown.rendering import render_plain as render_as_written


def render_reply(text: str) -> str:
    """Render a model's Markdown. Scripts, styles and images don't survive; links open in a new tab."""
    return render_markdown(text)


def render_around(text: str, questions: Sequence[tuple[int, UUID]]) -> str:
    """Likewise, with a rule where a question was asked: after so many characters, the set with this id."""
    html: list[str] = []
    start = 0
    for end, id_ in questions:
        html += [render_reply(text[start:end]), question_rule(id_)]
        start = end
    return "".join([*html, render_reply(text[start:])])


def question_rule(id_: UUID) -> str:
    """What stands in a reply's HTML where this set was asked."""
    return f'<hr data-question-set="{id_}">'


def render_plain(text: str) -> str:
    """A person's words as they wrote them: escaped, with their line breaks."""
    return render_as_written(text)


def render(role: str, text: str) -> str:
    return render_reply(text) if role == "assistant" else render_plain(text)
