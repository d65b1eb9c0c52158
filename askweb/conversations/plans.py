"""The plan of a post, whichever way it is to be sent."""

from askweb.accounts.models import User
from askweb.conversations.envelope import Envelope
from askweb.conversations.models import Conversation, Message
from askweb.conversations.planning import Plan, plan_post
from askweb.conversations.planning_exactly import plan_exactly
from askweb.preferences.blocking import refuse_blocked
from askweb.preferences.sources import refuse_blocked_above
from prompts.tool_asking import ToolAnswers


def plan(
    person: User,
    conversation: Conversation,
    parent: Message | None,
    envelope: Envelope,
    answers: ToolAnswers | None = None,
) -> Plan:
    """Decide everything, and store nothing. With `answers` a tool's questions have been asked already.

    Raises a 422 `Problem` for context from a host that the person has blocked, be it since it was stored,
    and be it that of a message above.
    """
    refuse_blocked(person, (item.value for item in envelope.context))
    refuse_blocked_above(person, parent)
    make = plan_exactly if envelope.exact else plan_post
    return make(person, conversation, parent, envelope, answers)
