"""Which provider and which model answers: what the post names, else what the person set, else what is there."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from askweb.accounts.models import User
from askweb.errors import Problem
from askweb.providers.local.choosing import LocalModel
from askweb.providers.local.configured import configured_model
from askweb.providers.models import Provider


@dataclass(frozen=True)
class Choice:
    provider: Provider
    model: str


def choose_model(person: User, *, provider: str | None = None, model: str | None = None) -> Choice:
    """Return provider and model for a post.

    `provider` is a slug or an id. `model` may be `slug/model` when the left of its first slash is a
    provider's slug; other slashes belong to the model's name. Raises a 422 `Problem` with what to do.
    """
    offered = list(Provider.objects.offered_to(person))
    if provider is None and model is not None:
        slug, slash, name = model.partition("/")
        if slash and name and any(each.slug == slug for each in offered):
            provider, model = slug, name
    chosen = _named(offered, provider) if provider else _default(offered)
    if model is not None and chosen.is_local:
        _check_local(model)
    return Choice(chosen, model or _default_model(chosen))


def _check_local(model: str) -> None:
    """The local server answers under any name, which would tell people of an answer from a model they never had."""
    local = configured_model()
    if isinstance(local, LocalModel) and model != local.name:
        message = _("There is no model {model} here. The local one is {local}; add a provider for others.")
        raise Problem("model.unknown", message.format(model=model, local=local.name))


def _named(offered: Sequence[Provider], name: str) -> Provider:
    for provider in offered:
        if name in (provider.slug, str(provider.pk)):
            return provider
    known = ", ".join(each.slug for each in offered) or _("none yet")
    message = _("There is no provider {name}. Yours are: {known}.").format(name=name, known=known)
    raise Problem("provider.unknown", message)


def _default(offered: Sequence[Provider]) -> Provider:
    if not offered:
        raise Problem(
            "provider.none",
            _("No model is connected yet. Add a provider: its address, your key, and a model."),
        )
    chosen = [provider for provider in offered if provider.is_default]
    connected = [provider for provider in offered if not provider.found]  # what was found waits to be chosen
    return next(iter([*chosen, *connected, *offered]))


def _default_model(provider: Provider) -> str:
    if provider.is_local:
        local = configured_model()
        return local.name if isinstance(local, LocalModel) else ""
    if provider.default_model:
        return provider.default_model
    if provider.known_models:
        return str(provider.known_models[0]["id"])
    message = _("The provider {name} has no default model. Choose one, or name it in the post.")
    raise Problem("model.required", message.format(name=provider.name))
