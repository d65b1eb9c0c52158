"""What is measured, of what, and the result: shared by the load client and the tables."""

from dataclasses import dataclass
from typing import Literal

Subject = Literal["reference", "product", "several"]


@dataclass(frozen=True)
class Server:
    """A server under test: its processes, and the ports where they listen; `token` is a device's, not the reference's."""

    subject: Subject
    ports: tuple[int, ...]
    pids: tuple[int, ...]
    token: str = ""

    @property
    def port(self) -> int:
        return self.ports[0]

    @property
    def pid(self) -> int:
        return self.pids[0]


@dataclass(frozen=True)
class Load:
    """So many streams of so many deltas each; `rate` is deltas a second for each stream, 0 is flat out.

    Each reply has so many `viewers`, the product's only.
    """

    streams: int
    deltas: int
    rate: int
    viewers: int = 1

    @property
    def total(self) -> int:
        return self.streams * self.deltas


@dataclass(frozen=True)
class Order:
    """One measurement, as the load client gets it."""

    server: Server
    load: Load
    provider_port: int


@dataclass(frozen=True)
class Measurement:
    """Seconds. `cpu` is the server's while deltas flowed, `around` before the first and after the last of them.

    `client_cpu` is the load client's own: near `elapsed`, it was the client that was measured. `firsts` and
    `laters` are how long deltas took from the provider to a viewer, where they are paced.
    """

    elapsed: float
    cpu: float
    around: float
    frames: int
    client_cpu: float
    firsts: list[float]
    laters: list[float]
