"""What our templates say besides Django's own tags: `{% load askweb %}`."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html
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


@register.simple_tag
def moment(when: datetime) -> SafeString:
    """A time in the server's zone, which scripts put into the reader's."""
    local = timezone.localtime(when)
    words = f"{formats.date_format(local, 'DATETIME_FORMAT')} {local:%Z}"
    return format_html('<time datetime="{}" data-controller="moment">{}</time>', local.isoformat(), words)
