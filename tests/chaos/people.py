"""People who ask while everything around them falls over, and follow their answers to the end."""

import random
import threading
import time
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.chaos.speaking import ASK_ME
from tests.live.follower import Follower, Unreliable, undisturbed
from tests.stand_ins.server import Asked
from tests.stand_ins.several import SeveralProcesses

PATIENCE = 240.0
FAULTS = (OSError, KeyError, WebSocketException, EOFError, TimeoutError, ValueError)
"""What a client sees while servers come and go; it tries again."""
ANSWER_WITHIN = 20.0
"""Seconds in which a person who is asked something makes up their mind."""
SLEEPS = 6.0
"""Seconds in which a client that has stopped to read wakes up."""


@dataclass
class Person:
    """One of them: the first post is repeated under its `client_id` until a server has taken it.

    Each loses and repeats what comes, stops to read, or is asked something, by their number.
    """

    server: SeveralProcesses
    provider: str
    number: int
    delay: float = 0.0
    asked: Asked | None = None
    text: str = ""
    tries: int = 0
    sockets: int = 0
    closes: list[int] = field(default_factory=list)
    answers: int = 0
    ended: bool = False
    problem: str = ""
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)  # noqa: S311 - no secret
        self.is_unreliable = self.number % 3 == 0
        self.is_sleepy = self.number % 4 == 1
        self.is_asked = self.number % 4 == 2

    def live(self) -> None:
        deadline = time.monotonic() + PATIENCE
        follower = None
        time.sleep(self.delay)
        while not self.ended and time.monotonic() < deadline:
            try:
                if self.asked is None:
                    self._ask()
                if self.is_asked and not self.answers:
                    self._answer()
                follower = self._follow(follower, deadline)
            except FAULTS as fault:
                if isinstance(fault, ConnectionClosed) and fault.rcvd is not None:
                    self.closes.append(fault.rcvd.code)
                time.sleep(self.chance.uniform(0.1, 1.5))
            except AssertionError as error:
                self.problem = str(error)[:200]

    def _web(self) -> SeveralProcesses:
        return self.server.at(self.chance.randrange(len(self.server.ports)))

    def _ask(self) -> None:
        self.tries += 1
        text = f"Question {self.number}. {ASK_ME if self.is_asked else ''}"
        envelope = {
            "meta": {"provider": self.provider, "client_id": f"{self.provider}-{self.number}"},
            "messages": [{"role": "user", "content": text}],
        }
        answer = self._web().post("/api/conversations/", envelope)
        if answer.status >= 500:
            raise TimeoutError
        self.asked = Asked.by(answer)

    def _answer(self) -> None:
        """Answer what is asked, again under the same id where it isn't known whether that was heard."""
        assert self.asked is not None
        web = self._web()
        sets = web.get(f"/api/questions/?conversation={self.asked.conversation}").json["results"]
        if not sets:
            if web.run(self.asked.run)["state"] in ("interrupted", "failed"):
                self.is_asked = False  # before it came to that
            raise TimeoutError
        time.sleep(self.chance.uniform(0, ANSWER_WITHIN))
        body = {"client_id": f"person-{self.number}", "answers": {"deploy_target": {"options": [1]}}}
        answer = self._web().post(f"/api/questions/{sets[0]['id']}/answer/", body)
        if answer.status >= 500:
            raise TimeoutError
        assert answer.status == 200, answer.body
        self.answers += 1

    def _follow(self, follower: Follower | None, deadline: float) -> Follower:
        assert self.asked is not None
        queue = 1 if self.is_sleepy else None
        with self._web().socket(max_queue=queue) as socket:
            self.sockets += 1
            if follower is None:
                transport = Unreliable(self.number, turns=0) if self.is_unreliable else undisturbed
                follower = Follower(socket, self.asked.conversation, transport=transport)
            else:
                follower.resume(socket)
            if self.is_sleepy:
                time.sleep(self.chance.uniform(0, SLEEPS))
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
