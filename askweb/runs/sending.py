"""What a run sends: the assembly, made to fit the model. What is stored is always what was really sent."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.db import transaction

from askweb.conversations.packing import Content, JSONValue, store_packed
from askweb.providers.adapting import Request
from askweb.providers.capabilities import capabilities_of
from askweb.providers.fitting import Fitted, fit
from askweb.providers.models import Provider
from askweb.runs.models import Asking, Run
from prompts.models import Assembly
from prompts.shapes import AssemblyShape, SentMessage, Told
from questions.offering import ways_to_ask


def fit_assembly(
    assembly: AssemblyShape, provider: Provider, model: str, options: Mapping[str, Any]
) -> AssemblyShape:
    """The assembly with its messages as this model takes them, and a warning for each change."""
    return _with_sent(assembly, fit(turns_of(assembly), options, capabilities_of(provider, model)))


def turns_of(assembly: AssemblyShape) -> list[SentMessage]:
    """The messages before they were made to fit a model: the history for another one."""
    return assembly.get("turns", assembly["messages"])


def request_of(run: Run, provider: Provider) -> Request:
    """The request of a run, by what is known of its model now; that may be more than when it was posted."""
    assembly = Assembly.objects.get(run=run).shape()
    capabilities = capabilities_of(provider, run.model)
    options, paragraph = run.options, ""
    if run.asking == Asking.OFFERED:
        options, paragraph = ways_to_ask(options)
    request = Request(run.model, turns_of(assembly), options, capabilities, paragraph)
    same = len(request.fitted.changes) == len(assembly.get("changes", ()))
    if not same or request.fitted.messages != assembly["messages"]:
        store_sent(run, request.fitted)
    return request


@transaction.atomic
def store_sent(run: Run, fitted: Fitted) -> None:
    """Replace what the run's assembly says was sent, and with it the contents that nothing else uses.

    A run that has moved on under another epoch keeps what its owner has stored.
    """
    if not run.held().select_for_update().values_list("pk"):
        return
    replace_sent(run, _with_sent(Assembly.objects.get(run=run).shape(), fitted))


def extend_sent(run: Run, turns: Sequence[SentMessage], told: Told | None = None) -> None:
    """Add turns to what the run sends with its next call; `told` is how much of the reply they hold then."""
    assembly = Assembly.objects.get(run=run).shape()
    earlier = turns_of(assembly)
    extended: AssemblyShape = {"posted": len(earlier), **assembly, "turns": [*earlier, *turns]}
    if told is not None:
        extended["told"] = told
    replace_sent(run, extended)


def replace_sent(run: Run, assembly: AssemblyShape) -> None:
    """Keep this as the run's assembly, in the caller's transaction."""
    earlier = Assembly.objects.get(run=run)
    digests = {digest for _path, digest in earlier.taken}
    earlier.delete()
    store_packed([(Assembly(run=run), cast(JSONValue, assembly))])
    Content.objects.remove_unused(digests)


def _with_sent(assembly: AssemblyShape, fitted: Fitted) -> AssemblyShape:
    turns = turns_of(assembly)
    warnings = assembly["warnings"][: len(assembly["warnings"]) - len(assembly.get("changes", ()))]
    sent: AssemblyShape = {
        **assembly,
        "messages": cast(list[SentMessage], fitted.messages),
        "warnings": [*warnings, *fitted.changes],
        "changes": fitted.changes,
        "turns": turns,
    }
    if sent["messages"] == turns:
        del sent["turns"]
    if not fitted.changes:
        del sent["changes"]
    return sent
