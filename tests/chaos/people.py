"""People who ask while everything around them falls over, and follow their answers to the end."""

import random
import threading
import time
from dataclasses import dataclass, field

from websockets.exceptions import WebSocketException

from tests.live.follower import Follower, Unreliable, undisturbed
from tests.stand_ins.server import Asked
from tests.stand_ins.several import SeveralProcesses

PATIENCE = 240.0
FAULTS = (OSError, KeyError, WebSocketException, EOFError, TimeoutError, ValueError)
"""What a client sees while servers come and go; it tries again."""


@dataclass
class Person:
    """One of them: the first post is repeated under its `client_id` until a server has taken it."""

    server: SeveralProcesses
    provider: str
    number: int
    asked: Asked | None = None
    text: str = ""
    tries: int = 0
    sockets: int = 0
    ended: bool = False
    problem: str = ""
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)  # noqa: S311 - no secret

    def live(self) -> None:
        deadline = time.monotonic() + PATIENCE
        follower = None
        while not self.ended and time.monotonic() < deadline:
            try:
                if self.asked is None:
                    self._ask()
                follower = self._follow(follower, deadline)
            except FAULTS:
                time.sleep(self.chance.uniform(0.1, 1.5))
            except AssertionError as error:
                self.problem = str(error)[:200]

    def _web(self) -> SeveralProcesses:
        return self.server.at(self.chance.randrange(len(self.server.ports)))

    def _ask(self) -> None:
        self.tries += 1
        envelope = {
            "meta": {"provider": self.provider, "client_id": f"person-{self.number}"},
            "messages": [{"role": "user", "content": f"Question {self.number}"}],
        }
        answer = self._web().post("/api/conversations/", envelope)
        if answer.status >= 500:
            raise TimeoutError
        self.asked = Asked.by(answer)

    def _follow(self, follower: Follower | None, deadline: float) -> Follower:
        assert self.asked is not None
        with self._web().socket() as socket:
            self.sockets += 1
            if follower is None:
                transport = Unreliable(self.number, turns=0) if self.number % 3 == 0 else undisturbed
                follower = Follower(socket, self.asked.conversation, transport=transport)
            else:
                follower.resume(socket)
            follower.until(lambda: self._is_over(follower), seconds=deadline - time.monotonic())
        self.text, self.ended = follower.text(self.asked.reply), True
        return follower

    def _is_over(self, follower: Follower | None) -> bool:
        assert self.asked is not None
        return follower is not None and follower.has_ended(self.asked.run)


def all_live(people: list[Person]) -> list[threading.Thread]:
    threads = [threading.Thread(target=person.live, daemon=True) for person in people]
    for thread in threads:
        thread.start()
    return threads
