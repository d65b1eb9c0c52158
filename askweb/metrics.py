"""Figures of this process for Prometheus, without ids and without anything that people wrote. Off unless asked for."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, generate_latest, start_http_server

from askweb.runs.hub import hub

__all__ = [
    "CONTENT_TYPE",
    "FIRST_DELTA",
    "FRAMES",
    "RUNS",
    "read_metrics",
    "serve_metrics",
    "timed_checkpoint",
]

RUNS = Counter("askweb_runs", "Runs that ended here, by how.", ["state"])
FRAMES = Counter("askweb_deltas", "Deltas of replies that were written here.")
FIRST_DELTA = Histogram(
    "askweb_first_delta_seconds",
    "From the post to the first delta of its reply.",
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
CHECKPOINT = Histogram(
    "askweb_checkpoint_seconds",
    "What saving the text of all replies takes.",
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
FAULTS = Counter("askweb_checkpoint_faults", "Checkpoints that the database did not take.")

Gauge("askweb_live_replies", "Replies that are written or followed here.").set_function(
    lambda: len(hub.replies)
)
Gauge("askweb_sockets", "Open sockets and streams.").set_function(lambda: len(hub.sockets))


@contextmanager
def timed_checkpoint() -> Iterator[None]:
    before = time.monotonic()
    try:
        yield
    except Exception:
        FAULTS.inc()
        raise
    finally:
        CHECKPOINT.observe(time.monotonic() - before)


def read_metrics() -> bytes:
    return generate_latest(REGISTRY)


def serve_metrics() -> None:
    """Of a worker, which serves nothing else: on `ASKWEB_METRICS_PORT`."""
    if settings.ASKWEB_METRICS:
        start_http_server(settings.ASKWEB_METRICS_PORT, addr=settings.HOST)
