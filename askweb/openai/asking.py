"""From a request to the run that answers it: whose it is, what it asks, and where that is stored."""

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _

from askweb.accounts.access import Access
from askweb.accounts.models import Device, Scope, User
from askweb.accounts.permissions import require_scope
from askweb.conversations.models import Conversation
from askweb.conversations.posting import Posted, post_conversation, post_message
from askweb.errors import Problem, not_found
from askweb.openai.reading import ChatRequest, read_request
from askweb.parsing import StrictJSONParser
from askweb.rates import PostingRate
from askweb.runs.models import Run


def ask(request: HttpRequest) -> tuple[ChatRequest, Run, Access]:
    """Store what is asked and start its run. Errors are in the language of the request."""
    with translation.override(translation.get_language_from_request(request)):
        device = _device(request, "ask")
        person = device.user
        PostingRate(person).hold(request)
        asked = read_request(StrictJSONParser().parse(request))
        run = _post(person, asked).run
        if run is None:
            message = _("This client_id belongs to messages that were only stored.")
            raise Problem("run.none", message, status=409)
        return asked, run, Access(person, device.pk)


def person_of(request: HttpRequest, scope: Scope) -> User:
    """The person whose device token it is; a device without the scope is refused."""
    return _device(request, scope).user


def _device(request: HttpRequest, scope: Scope) -> Device:
    device = Device.objects.for_header(request.headers.get("Authorization", ""))
    if device is None:
        message = _("This token is unknown or was revoked. Make or pair a new one.")
        raise Problem("auth.required", message, status=401, headers={"WWW-Authenticate": "Bearer"})
    require_scope(device, scope)
    return device


def _post(person: User, asked: ChatRequest) -> Posted:
    if asked.conversation is None:
        return post_conversation(person, asked.envelope)
    conversation: Conversation | None = person.conversations.filter(pk=asked.conversation).first()
    if conversation is None:
        raise not_found()
    return post_message(person, conversation, asked.envelope)
