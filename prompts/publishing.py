"""Publishing: a draft, or an earlier version again, becomes the next version and the one in use."""

from django.db import transaction
from django.utils.translation import gettext as _

from askweb.errors import Problem, not_found
from prompts.checking import check_template, refuse_faulty
from prompts.models import Snippet, TemplateVersion, Tool


def publish_draft(tool: Tool) -> TemplateVersion:
    """Publish the draft and let it go. Raises a 422 `Problem` with every error of the template."""
    if tool.draft is None:
        raise Problem("draft.missing", _("There is no draft to publish."))
    return publish_text(tool, tool.draft, field="draft")


@transaction.atomic
def publish_text(tool: Tool, source: str, *, field: str = "template") -> TemplateVersion:
    """Publish a text, unless it is the one in use already. A draft is done with then."""
    refuse_faulty(check_template(source, Snippet.objects.reached_from(tool.owner_id)), field)
    tool.draft = None
    tool.save(update_fields=["draft"])
    if tool.published is not None and tool.published.source == source:
        return tool.published
    return tool.publish(source)


@transaction.atomic
def restore(tool: Tool, number: int) -> TemplateVersion:
    """Publish an earlier version again, as a new one. The draft stays."""
    earlier = tool.versions.filter(number=number).first()
    if earlier is None:
        raise not_found()
    if tool.published is not None and tool.published.number == number:
        return tool.published
    refuse_faulty(check_template(earlier.source, Snippet.objects.reached_from(tool.owner_id)), "template")
    return tool.publish(earlier.source, restored_from=number)
