"""One client's view of one topic: nothing before the snapshot, nothing twice, nothing when it can't keep up."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from askweb.conversations.frames import encode
from askweb.conversations.outbox import Outbox
from askweb.runs.hub import Frame


class Subscription:
    """Joined before the snapshot is read; what happens meanwhile is held, and sent after it.

    When the client has not acknowledged enough, the subscription falls behind: the client is told once,
    and gets nothing more until it subscribes again.
    """

    def __init__(self, topic: UUID, outbox: Outbox) -> None:
        self._topic = topic
        self._outbox = outbox
        self._held: list[Frame] | None = []
        self.is_behind = False

    def open(self, first: Frame) -> None:
        """Send the snapshot, then what it doesn't hold yet."""
        held, self._held = self._held or [], None
        self._outbox.put(first)
        for frame in _not_in(first, held):
            self.deliver(frame)

    def deliver(self, frame: Frame) -> None:
        if self._held is not None:
            self._held.append(frame)
        elif not self.is_behind:
            if self._outbox.is_full:
                self._fall_behind()
            else:
                self._outbox.put(frame)

    def _fall_behind(self) -> None:
        self.is_behind = True
        self._outbox.put(behind(self._topic))


def behind(topic: UUID) -> Frame:
    """What a client is told that has not acknowledged enough."""
    message = "You have not acknowledged enough. Subscribe again to get all that was written."
    return Frame(
        encode({"event": "error", "code": "socket.behind", "conversation": topic, "message": message})
    )


def _not_in(snapshot: Frame, held: Iterable[Frame]) -> Iterator[Frame]:
    """The held frames that tell more than the snapshot.

    Deltas of another run than the one it knows as active belong either to a run that ended before it, whose
    text it holds, or to one that began after it: then the event that says so came before them.
    """
    is_later = False
    for frame in held:
        if frame.kind == "event":
            is_new = not 0 < frame.revision <= snapshot.revision
            is_later = is_later or is_new
        elif frame.kind == "delta" and frame.run == snapshot.run:
            is_new = (frame.epoch, frame.seq) > (snapshot.epoch, snapshot.seq)
        else:
            is_new = is_later or frame.kind != "delta"
        if is_new:
            yield frame
