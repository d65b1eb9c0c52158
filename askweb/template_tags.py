"""What our templates say besides Django's own tags: `{% load askweb %}`."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from askweb.import_map import import_map as import_map_json
from askweb.people import person_of
from askweb.preferences.navigation import sections

register = template.Library()


@register.simple_tag(takes_context=True)
def import_map(context: Any) -> SafeString:
    """The import map, the one inline script of a page, with the nonce that the page's policy names."""
    nonce = getattr(context.get("request"), "csp_nonce", "")
    return mark_safe(f'<script type="importmap" nonce="{nonce}">{import_map_json()}</script>')  # noqa: S308 - both are ours


@register.inclusion_tag("settings/_navigation.html", takes_context=True)
def settings_navigation(context: Any, current: str) -> dict[str, Any]:
    """The navigation between the sections of the settings; `current` is the name of the section's address."""
    return {"sections": sections(current, person_of(context["request"]))}
