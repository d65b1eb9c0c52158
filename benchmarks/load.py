"""What is measured, of what, and the result: shared by the load client and the table."""

from dataclasses import dataclass
from typing import Literal

Subject = Literal["reference", "product"]


@dataclass(frozen=True)
class Server:
    """A server under test; `token` is a device's, for the product only."""

    subject: Subject
    port: int
    pid: int
    token: str = ""


@dataclass(frozen=True)
class Load:
    """So many streams of so many deltas each; `rate` is deltas a second for each stream, 0 is flat out."""

    streams: int
    deltas: int
    rate: int

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

    `client_cpu` is the load client's own: near `elapsed`, it was the client that was measured.
    """

    elapsed: float
    cpu: float
    around: float
    frames: int
    client_cpu: float
