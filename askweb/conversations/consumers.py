"""The socket: it tells what happened. Its only commands are subscribe, unsubscribe, ack and ping."""

import asyncio
import logging
from typing import Any
from uuid import UUID

import orjson
from autobahn.exception import Disconnected
from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer
from django.utils.translation import gettext as _

from askweb.accounts.access import Access
from askweb.accounts.models import User
from askweb.conversations.admitting import NOT_SIGNED_IN, Refusal, admit
from askweb.conversations.frames import encode
from askweb.conversations.outbox import Outbox
from askweb.conversations.snapshots import take_snapshot
from askweb.conversations.subscribing import Subscription, behind
from askweb.runs.hub import Frame, hub

RESTARTING = 4012
BROKEN = 4011
MAX_SUBSCRIPTIONS = 100
LATEST_EPOCH = 2**31


logger = logging.getLogger(__name__)


class BadCommand(Exception):
    """A command that can't be carried out. `code` is stable, the message is for the person."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Socket(AsyncConsumer):  # type: ignore[misc,unused-ignore]
    """One client's socket. Frames come from the hub while it is open."""

    reads_blocks = True
    access: Access
    person: User
    outbox: Outbox
    writer: asyncio.Task[None] | None = None
    channel_layer_alias = None  # the hub tells it everything; Redis may be gone while a socket opens

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """However it ends, by a fault of ours or killed by daphne, the hub must not go on to deliver to it."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end()

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await self.send({"type": "websocket.accept"})
        try:
            self.access = await admit(self.scope)
        except Refusal as refusal:
            await self.send({"type": "websocket.close", "code": refusal.close_code})
            return
        self.person = self.access.person
        self.outbox = Outbox(self.send_text)
        self.subscriptions: dict[UUID, Subscription] = {}
        self.writer = asyncio.create_task(self._write())
        hub.sockets.add(self)
        if hub.is_closing:
            await self.restart()

    async def websocket_receive(self, message: dict[str, Any]) -> None:
        if self.writer is None:
            return
        try:
            meta = _read_command(message.get("text"))
            await COMMANDS[meta["command"]](self, meta)
        except BadCommand as error:
            self.tell({"event": "error", "code": error.code, "message": str(error)})

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        raise StopConsumer

    async def access_ended(self) -> None:
        """What it was opened by is no more: nothing further is told, and the client must sign in or pair again."""
        self._end()
        await self.send({"type": "websocket.close", "code": NOT_SIGNED_IN})

    def _end(self) -> None:
        hub.sockets.discard(self)
        if self.writer is not None:
            self.writer.cancel()
            self.writer = None
            for topic in list(self.subscriptions):
                self.leave(topic)

    async def _write(self) -> None:
        """Send what the outbox holds. When that fails the socket is of no use, and a client that sees it end comes again."""
        try:
            await self.outbox.send_forever()
        except (Disconnected, OSError):
            return  # the client has left, which is told in a moment
        except Exception:
            logger.exception("a socket could not be written to")
            await self.send({"type": "websocket.close", "code": BROKEN})

    async def subscribe(self, meta: dict[str, Any]) -> None:
        topic = _topic(meta) or self.person.pk
        if topic not in self.subscriptions and len(self.subscriptions) >= MAX_SUBSCRIPTIONS:
            message = _("One socket can watch {count} conversations.").format(count=MAX_SUBSCRIPTIONS)
            raise BadCommand("socket.too_many", message)
        if not self._may_join(topic):
            self.outbox.put(behind(topic))
            return
        subscription = self.join(topic)
        if topic == self.person.pk:
            subscription.open(Frame(encode({"event": "feed.subscribed"})))
            return
        snapshot = await take_snapshot(self.person.pk, topic, hub)
        if snapshot is None:
            self.leave(topic)
            raise BadCommand("not_found", _("There is nothing here, or it is not yours."))
        subscription.open(snapshot)

    def _may_join(self, topic: UUID) -> bool:
        """Snapshots are sent whatever is outstanding, so the next one waits until the client is known to read."""
        earlier = self.subscriptions.get(topic)
        if earlier is not None and earlier.is_behind:
            self.outbox.acknowledge_all()
        return not (self.outbox.is_full and self.outbox.holds_snapshot(topic))

    async def unsubscribe(self, meta: dict[str, Any]) -> None:
        self.leave(_topic(meta) or self.person.pk)

    async def ack(self, meta: dict[str, Any]) -> None:
        epoch, seq = meta.get("epoch", LATEST_EPOCH), meta.get("seq")
        topic = _topic(meta)
        if topic is None or not isinstance(epoch, int) or not isinstance(seq, int):
            raise BadCommand(
                "socket.bad_command", _("ack needs conversation and seq, and may name the epoch.")
            )
        self.outbox.acknowledge(topic, epoch, seq)

    async def ping(self, meta: dict[str, Any]) -> None:
        self.tell({"event": "pong"})

    def join(self, topic: UUID) -> Subscription:
        subscription = self.subscriptions[topic] = Subscription(topic, self.outbox)
        hub.join(topic, self)
        return subscription

    def leave(self, topic: UUID) -> None:
        if self.subscriptions.pop(topic, None) is not None:
            hub.leave(topic, self)

    def deliver(self, topic: UUID, frame: Frame) -> None:
        self.subscriptions[topic].deliver(frame)

    def tell(self, meta: dict[str, Any]) -> None:
        if not self.outbox.is_full:
            self.outbox.put(Frame(encode(meta)))

    async def send_text(self, text: str) -> None:
        await self.send({"type": "websocket.send", "text": text})

    async def restart(self) -> None:
        """The server goes away for a moment: say so, and close so that the client comes again."""
        await self.send_text(encode({"event": "server.restarting"}))
        await self.send({"type": "websocket.close", "code": RESTARTING})


COMMANDS = {
    "subscribe": Socket.subscribe,
    "unsubscribe": Socket.unsubscribe,
    "ack": Socket.ack,
    "ping": Socket.ping,
}


def _read_command(text: str | None) -> dict[str, Any]:
    try:
        body = orjson.loads(text or "")
    except orjson.JSONDecodeError as error:
        raise BadCommand("socket.bad_command", _("A command must be a JSON text.")) from error
    meta = body.get("meta") if isinstance(body, dict) else None
    command = meta.get("command") if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(command, str) or command not in COMMANDS:
        message = _("The commands are {commands}; post everything else to /api/.")
        raise BadCommand("socket.unknown_command", message.format(commands=", ".join(COMMANDS)))
    return meta


def _topic(meta: dict[str, Any]) -> UUID | None:
    """The conversation that is named; None when the person's own feed is meant."""
    named = meta.get("conversation")
    if named is None:
        return None
    try:
        return UUID(named)
    except (ValueError, TypeError, AttributeError) as error:
        raise BadCommand("not_found", _("There is nothing here, or it is not yours.")) from error
