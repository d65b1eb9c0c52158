"""A message's text as HTML: Markdown from the model, plain text from the person, both harmless."""

import markdown
import nh3
from django.utils.html import linebreaks

EXTENSIONS = ("fenced_code", "codehilite", "tables", "sane_lists", "nl2br")
CONFIGS = {"codehilite": {"guess_lang": False, "css_class": "highlight"}}
TAGS = nh3.ALLOWED_TAGS - {"img", "map", "area"}
ATTRIBUTES = {
    **nh3.ALLOWED_ATTRIBUTES,
    "div": {"class"},
    "span": {"class"},
    "code": {"class"},
    "th": {"align", "style"},
    "td": {"align", "style"},
}


def render_reply(text: str) -> str:
    """Render a model's Markdown. Scripts, styles and images don't survive; links open in a new tab."""
    html = markdown.markdown(text, extensions=list(EXTENSIONS), extension_configs=CONFIGS)
    return nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        filter_style_properties={"text-align"},
    )


def render_plain(text: str) -> str:
    """A person's words as they wrote them: escaped, with their line breaks."""
    return linebreaks(text, autoescape=True)


def render(role: str, text: str) -> str:
    return render_reply(text) if role == "assistant" else render_plain(text)
