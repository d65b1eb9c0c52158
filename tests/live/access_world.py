"""People of each kind, with plenty of everything that an address can name. Runs inside `manage.py shell`."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.test import Client

from askweb.accounts.invitations import Invitation
from askweb.accounts.models import ALL_SCOPES, User
from askweb.accounts.roles import Role
from askweb.conversations.models import Conversation, Message
from askweb.conversations.packing import store_packed
from askweb.images.cleaning import CleanImage
from askweb.images.models import Image
from askweb.providers.models import Provider
from askweb.runs.models import Run, State
from prompts.editing import create_tool
from prompts.models import Assembly
from questions.asking import ask_person
from questions.models import RememberedAnswer
from questions.shapes import Option, Question

OF_EACH = 20
QUESTION = Question("where", "Where", "Where to?", (Option("A"), Option("B")))

Signs = dict[str, dict[str, Any]]
Things = dict[str, list[dict[str, str]]]
Make = Callable[[User, int], UUID | str]


def print_world() -> None:
    """Tokens, sessions and ids, as JSON."""
    people = {"owner": User.objects.owner(), "staff": User.objects.create_user("staff", is_staff=True)}
    people |= {name: User.objects.create_user(name) for name in ("reader", "stranger")}
    signs: Signs = {
        name: {"token": person.new_device(name)[1], "sessions": [_session(person) for _each in range(3)]}
        for name, person in people.items()
    }
    things = {name: _things(people[name]) for name in ("reader", "staff", "owner")}
    signs |= _poorer_devices(people["reader"])
    print(json.dumps({"signs": signs, "things": things}))


def _session(person: User) -> str:
    browser = Client()
    browser.force_login(person)
    return browser.cookies["sessionid"].value


def _poorer_devices(reader: User) -> Signs:
    """A device that was revoked, and for each scope one that has all others."""
    revoked, token = reader.new_device("revoked")
    revoked.delete()
    devices: Signs = {"revoked": {"token": token}}
    for scope in ALL_SCOPES:
        others = tuple(each for each in ALL_SCOPES if each != scope)
        devices[f"without {scope}"] = {"token": reader.new_device("other", others)[1]}
    return devices


def _things(person: User) -> Things:
    things: Things = {
        kind: [{kind: str(make(person, number))} for number in range(OF_EACH)] for kind, make in KINDS.items()
    }
    asked = [_asked(person) for _number in range(3 * OF_EACH)]
    return things | dict.fromkeys(asked[0], asked)


def _asked(person: User) -> dict[str, str]:
    """A conversation whose answer has come."""
    conversation = Conversation.objects.create(user=person, title="Hi")
    message = Message.objects.create(conversation=conversation, role="user", content="Hi")
    reply = Message.objects.create(
        conversation=conversation, role="assistant", content="Hello.", parent=message
    )
    run = Run.objects.create(conversation=conversation, message=message, reply=reply, state=State.COMPLETED)
    store_packed([(Assembly(run=run), {"messages": [], "parts": [], "tokens": 0, "warnings": []})])
    Conversation.objects.filter(pk=conversation.pk).update(head=reply)
    rows = {"conversation": conversation, "message": message, "reply": reply, "run": run}
    return {kind: str(row.pk) for kind, row in rows.items()}


def _questions(person: User, number: int) -> UUID:
    conversation = Conversation.objects.create(user=person)
    return ask_person([QUESTION], seconds=900, user=person, source="api", conversation=conversation).pk


def _remembered(person: User, number: int) -> UUID:
    return RememberedAnswer.objects.create(user=person, tool=f"tool-{number}", question="where", values=[]).pk


def _image(person: User, number: int) -> UUID:
    return Image.objects.store(person, CleanImage("image/png", 1, 1, b"%d" % number)).pk


def _provider(person: User, number: int) -> UUID:
    where = {"base_url": "https://model.invalid/v1", "default_model": "parrot", "is_default": number == 0}
    return Provider.objects.create(user=person, slug=f"p{number}", name=f"P{number}", **where).pk


def _snippet(person: User, number: int) -> UUID:
    return person.snippets.create(name=f"s{number}", source="x").pk


def _tool(person: User, number: int) -> str:
    return create_tool(person, {"name": f"{person.username} {number}", "template": "Hi"}).slug


def _person(person: User, number: int) -> UUID:
    return User.objects.create_user(f"{person.username}-{number}").pk


def _invitation(person: User, number: int) -> UUID:
    return Invitation.objects.issue("Mei", "", Role.READER)[0].pk


def _device(person: User, number: int) -> UUID:
    return person.new_device(f"d{number}")[0].pk


KINDS: dict[str, Make] = {
    "questions": _questions,
    "remembered": _remembered,
    "image": _image,
    "provider": _provider,
    "snippet": _snippet,
    "tool": _tool,
    "device": _device,
    "person": _person,
    "invitation": _invitation,
}
