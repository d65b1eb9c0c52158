"""How an answer that did not finish is told to the person: what happened, and what to do next."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from askweb.conversations.models import Message
from askweb.runs.models import Run

Words = tuple[str | Promise, str | Promise]


@dataclass(frozen=True)
class Outcome:
    """`advice` is empty where a button says it.

    `said` is what the provider or the server said itself; empty when it adds nothing.
    """

    state: str
    title: str
    advice: str
    said: str


def outcome_of(reply: Message, run: Run | None) -> Outcome | None:
    """None for an answer that is complete, or still being written and not waiting."""
    if reply.state not in (Message.State.STOPPED, Message.State.INTERRUPTED, Message.State.FAILED):
        return _cut_short(run) if run is not None and run.finish == "length" else None
    code = run.code if run is not None else None
    title, advice = WORDS.get(code or reply.state, OTHERWISE)
    return Outcome(reply.state, str(title), str(advice), (run.error if run is not None else "") or "")


def _cut_short(run: Run) -> Outcome:
    title = _("The answer was cut off: it reached the longest that the model may write.")
    return Outcome("cut", str(title), "", "")


OTHERWISE: Words = (
    _("This answer failed."),
    _("Ask again. If it fails again, look at the server's log."),
)
WORDS: dict[str, Words] = {
    "stopped": (_("You stopped this answer."), _("What was written is kept.")),
    "interrupted": (_("This answer was interrupted."), _("What was written is kept.")),
    "run.interrupted": (_("This answer was interrupted."), _("What was written is kept.")),
    "run.crashed": (
        _("Something went wrong on this server."),
        _("Ask again. If it happens again, the server's log says more."),
    ),
    "provider.unknown": (
        _("The provider of this answer is gone."),
        _("Ask again: your default provider will answer, or connect another one."),
    ),
    "provider.auth": (
        _("The provider refused the key."),
        _("Check that the key belongs to this provider and is still valid, save it again, and ask again."),
    ),
    "provider.address_refused": (
        _("This server may not connect to the provider's address."),
        _("Use another address, or ask whoever runs this server to allow it."),
    ),
    "provider.billing": (
        _("The account at the provider has no credit left."),
        _("Top it up at the provider, or make another provider your default, and ask again."),
    ),
    "provider.rate_limit": (
        _("The provider gets too many questions at the moment."),
        _("Wait a minute and ask again."),
    ),
    "provider.context_too_long": (
        _("This is more text than the model can read at once."),
        _("Start a new conversation, send less text, or use a model with a larger context window."),
    ),
    "provider.content_filter": (
        _("The provider's content filter refused this."),
        _("Put the question in other words, or ask another provider."),
    ),
    "provider.unavailable": (
        _("The provider can't be reached, or is down."),
        _("Check its address and your network. If both are right, wait a little and ask again."),
    ),
    "provider.timeout": (
        _("The provider took too long."),
        _("Ask again. If it stays slow, ask for less, or use a smaller model."),
    ),
    "provider.protocol": (
        _("The provider sent something that is not an answer."),
        _("Check that its address is that of an OpenAI-compatible API, often one that ends with /v1."),
    ),
    "provider.model_unknown": (
        _("The provider does not have this model."),
        _("Look up what the model is called there, and make that the provider's default model."),
    ),
    "provider.bad_request": (
        _("The provider did not accept the request."),
        _("Its own words below say why. Often another model, or a shorter question, helps."),
    ),
}
