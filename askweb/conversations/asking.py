"""What a post asks: its question, by which tool, and in which language it is to be answered."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope, Item
from askweb.conversations.envelope import Turn as PostedTurn
from askweb.errors import Problem
from prompts.languages import SAME_AS_PAGE, SAME_AS_QUESTION, language_name
from prompts.models import Tool
from prompts.variables import Asking

TOOL_OF_KIND = (("pageSearch", "find-on-page"), ("stackoverflow", "stack-overflow"), ("github", "github"))
DEFAULT_TOOL = "ask"


def asked_turn(envelope: Envelope) -> PostedTurn | None:
    """The turn that is to be answered: the newest of the person's; an empty one when only context came."""
    if envelope.is_import:
        return None
    users = [turn for turn in envelope.messages if turn.role == "user"]
    return users[-1] if users else PostedTurn("user", "")


def choose_tool(person: User, envelope: Envelope) -> Tool:
    """The tool that the post names, else the one for its context. Raises a 422 `Problem`."""
    wanted = envelope.meta.tool
    slug = wanted or _tool_for(envelope.context)
    tool = Tool.objects.named(person, slug)
    if tool is None and wanted is None:
        tool = Tool.objects.named(person, DEFAULT_TOOL)
    if tool is None:
        known = ", ".join(each.slug for each in Tool.objects.offered_to(person))
        message = _("There is no tool {slug}. There are: {known}.").format(slug=slug, known=known)
        raise Problem("tool.unknown", message)
    return tool


def asking_of(person: User, envelope: Envelope, text: str, tool: Tool | None) -> Asking:
    """Who asks what, now. The language is the post's, else the tool's, the person's, or the interface's."""
    chosen = envelope.meta.language or (tool.language if tool else None) or _own_language(person)
    interface = language_name(get_language() or "en")
    language = language_name(chosen or "") or _by_rule(person, envelope.context) or interface
    return Asking(
        text=text,
        language=language,
        language_chosen=bool(chosen),
        user_name=person.get_short_name() or person.get_username(),
        interface_language=interface,
        now=timezone.now(),
    )


def _own_language(person: User) -> str:
    """The one that the person has set; a rule such as "the page's" is not one."""
    setting = person.answer_language.strip()
    return "" if setting in (SAME_AS_PAGE, SAME_AS_QUESTION) else setting


def _by_rule(person: User, items: Sequence[Item]) -> str:
    if person.answer_language == SAME_AS_QUESTION:
        return _("the language of the question")
    if person.answer_language != SAME_AS_PAGE:
        return ""
    told = (item.value.get("lang") for item in items if item.kind == "page")
    return next((language_name(code) for code in told if isinstance(code, str) and code.strip()), "")


def _tool_for(items: Sequence[Item]) -> str:
    kinds = {item.kind for item in items}
    return next((slug for kind, slug in TOOL_OF_KIND if kind in kinds), DEFAULT_TOOL)
