"""A client that follows the rules of docs/protocol.md, "Ending with exactly the stored text", and no others."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import orjson
from websockets.sync.client import ClientConnection

from tests.waiting import LONG

Frame = dict[str, Any]
Transport = Callable[[Frame], Iterator[Frame]]

FINAL = ("run.completed", "run.stopped", "run.interrupted", "run.failed")


def undisturbed(frame: Frame) -> Iterator[Frame]:
    yield frame


class Unreliable:
    """A transport that drops, repeats and delays frames, and drops heartbeats, until all is quiet after so many turns.

    The same seed does the same.
    """

    def __init__(self, seed: int, *, turns: int) -> None:
        self._turns = turns
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        self._late: list[Frame] = []
        self._over = False

    def __call__(self, frame: Frame) -> Iterator[Frame]:
        meta = frame["meta"]
        self._turns -= meta["event"] == "run.queued"
        is_quiet = self._turns <= 0 and meta["event"] == "heartbeat" and meta["active_run"] is None
        self._over = self._over or is_quiet
        return self._end(frame) if self._over else self._disturb(frame)

    def _end(self, frame: Frame) -> Iterator[Frame]:
        yield from self._late
        self._late.clear()
        yield frame

    def _disturb(self, frame: Frame) -> Iterator[Frame]:
        if frame["meta"]["event"] == "heartbeat":
            return
        fate = self._chance.choice(("kept", "kept", "kept", "dropped", "repeated", "late"))
        if fate == "late":
            self._late.append(frame)
        if fate in ("kept", "repeated"):
            yield frame
        if fate == "repeated":
            yield frame
        if self._late and self._chance.random() < 0.3:
            yield self._late.pop()


class Follower:
    """What one person sees of one conversation."""

    def __init__(
        self,
        socket: ClientConnection,
        conversation: str,
        *,
        transport: Transport = undisturbed,
        acknowledges: bool = True,
    ) -> None:
        self.conversation = conversation
        self.messages: dict[str, Frame] = {}
        self.deltas: list[Frame] = []
        self.events: list[str] = []
        self.subscriptions = 0
        self._transport = transport
        self._acknowledges = acknowledges
        self._revision = self._epoch = self._seq = 0
        self._active_run: str | None = None
        self._waiting = False
        self.resume(socket)

    def resume(self, socket: ClientConnection) -> None:
        """Go on with this socket."""
        self._socket = socket
        self._subscribe()

    def text(self, message: str) -> str:
        content: str = self.messages.get(message, {}).get("content", "")
        return content

    def until(self, reached: Callable[[], bool], *, seconds: float = LONG) -> None:
        """Take frames until the condition holds."""
        deadline = time.monotonic() + seconds
        while not reached():
            left = deadline - time.monotonic()
            assert left > 0, f"waited {seconds:g} s in vain; last events: {self.events[-10:]}"
            self.take(left)

    def until_text(self, message: str, text: str) -> None:
        self.until(lambda: self.text(message) == text)

    def until_ended(self, run: str) -> None:
        self.until(lambda: not self._waiting and self._active_run != run)

    def has_ended(self, run: str) -> bool:
        return not self._waiting and self._active_run != run and bool(self.messages)

    def until_settled(self) -> None:
        """Take frames until a heartbeat has come and what it asked for is done."""
        seen = len(self.events)
        self.until(lambda: "heartbeat" in self.events[seen:] and not self._waiting)

    def take(self, within: float = LONG) -> None:
        """Take the next frame, if one comes in so many seconds."""
        try:
            text = self._socket.recv(within)
        except TimeoutError:
            return
        for frame in self._transport(orjson.loads(text)):
            self._take(frame)

    def _take(self, frame: Frame) -> None:
        meta = frame["meta"]
        self.events.append(meta["event"])
        if meta["event"] == "error":
            self._take_error(meta)
        elif meta.get("conversation") != self.conversation:
            return
        elif meta["event"] == "conversation.snapshot":
            self._replace_everything(frame)
        elif meta["event"] == "heartbeat":
            self._compare(meta)
        elif self._waiting:
            return
        elif meta["event"] == "reply.delta":
            self._append(frame)
        elif "revision" in meta:
            self._note(frame)

    def _replace_everything(self, frame: Frame) -> None:
        meta = frame["meta"]
        self._waiting = False
        self.messages = {message["id"]: message for message in frame["messages"]}
        self._revision, self._epoch, self._seq = meta["revision"], meta["epoch"], meta["seq"]
        self._active_run = meta["active_run"]
        self._acknowledge()

    def _append(self, frame: Frame) -> None:
        epoch, seq = frame["meta"]["epoch"], frame["meta"]["seq"]
        if frame["meta"]["run"] != self._active_run or (epoch == self._epoch and seq <= self._seq):
            return
        if seq != (self._seq + 1 if epoch == self._epoch else 1):
            self._subscribe()
            return
        self._epoch, self._seq = epoch, seq
        self.deltas.append(frame)
        message = self.messages.setdefault(frame["meta"]["message"], {"content": "", "reasoning": ""})
        message["content"] += frame["delta"]["content"]
        message["reasoning"] += frame["delta"].get("reasoning_content", "")
        self._acknowledge()

    def _note(self, frame: Frame) -> None:
        meta = frame["meta"]
        if meta["revision"] <= self._revision:
            return
        if meta["revision"] > self._revision + 1:
            self._subscribe()
            return
        self._revision = meta["revision"]
        self.messages |= {message["id"]: message for message in frame.get("messages", ())}
        if meta["event"] in FINAL:
            self._active_run, self._epoch, self._seq = None, 0, 0
        elif meta["event"].startswith("run."):
            self._active_run, self._epoch, self._seq = meta["run"], meta["epoch"], meta["seq"]

    def _compare(self, meta: Frame) -> None:
        theirs = (meta["revision"], meta["active_run"], meta["epoch"], meta["seq"])
        if self._waiting or theirs != (self._revision, self._active_run, self._epoch, self._seq):
            self._subscribe()
        else:
            self._acknowledge()

    def _take_error(self, meta: Frame) -> None:
        assert meta["code"] == "socket.behind", meta
        self._subscribe()

    def _subscribe(self) -> None:
        """Until the snapshot is there, other frames are of no use. One that got lost is asked for again."""
        self._waiting = True
        self.subscriptions += 1
        self._send({"command": "subscribe", "conversation": self.conversation})

    def _acknowledge(self) -> None:
        if self._acknowledges:
            place = {"epoch": self._epoch, "seq": self._seq}
            self._send({"command": "ack", "conversation": self.conversation, **place})

    def _send(self, meta: Frame) -> None:
        self._socket.send(orjson.dumps({"meta": meta}), text=True)
