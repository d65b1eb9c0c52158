"""The child process: llama.cpp's OpenAI-compatible HTTP server on a loopback port.

`python -m askweb.providers.local.serving` reads one JSON line, a `ServingOrder`, from stdin, answers with
one JSON line, a `ServingAnswer`, on stdout, and serves until stdin ends. The order comes by stdin because a
command line and an environment can be read by others. This module must not import Django.
"""

import json
import os
import sys
from threading import Thread
from typing import TextIO

import xllamacpp

from askweb.providers.local.exchange import ANSWER_TOKENS, CONTEXT_TOKENS, SLOTS, ServingAnswer, ServingOrder


def main() -> None:
    order: ServingOrder = json.loads(sys.stdin.readline())
    answers = _only_our_answers_on_stdout()
    parent = Thread(target=_exit_when_the_parent_is_gone, daemon=True)
    parent.start()
    _give_way_to_the_web_server()
    try:
        server = xllamacpp.Server(_params(order))
    except RuntimeError:
        _answer(answers, "")
        sys.exit(1)
    _answer(answers, server.listening_address)
    parent.join()


def _only_our_answers_on_stdout() -> TextIO:
    """llama.cpp writes to stdout as it likes, so it gets stderr there."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _exit_when_the_parent_is_gone() -> None:
    """Stdin ends when the parent closes it or dies of any signal; a running generation is not awaited."""
    while os.read(0, 1024):
        pass
    os._exit(0)


def _give_way_to_the_web_server() -> None:
    """A generation keeps every core busy, and streaming it to the person must not wait for it."""
    if hasattr(os, "nice"):
        os.nice(5)


def _params(order: ServingOrder) -> "xllamacpp.CommonParams":
    params = xllamacpp.CommonParams()
    params.model.path = order["path"]
    params.model_alias = {order["name"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["api_key"]]
    params.n_ctx = CONTEXT_TOKENS * SLOTS
    params.n_parallel = SLOTS
    params.n_predict = ANSWER_TOKENS
    params.use_jinja = True
    params.ui = False
    params.endpoint_slots = False  # it shows other requests' prompts
    params.cache_ram_mib = 0  # prompts of earlier pages, by default up to 8 GiB of them
    params.verbosity = -1
    return params


def _answer(answers: TextIO, address: str) -> None:
    answer: ServingAnswer = {"address": address}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
