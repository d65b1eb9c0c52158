from openai import OpenAI

from tests.stand_ins.server import LiveServer
from tests.stand_ins.upstream import Upstream


def test_every_model_and_every_tool_is_listed(client: OpenAI, live: LiveServer, upstream: Upstream) -> None:
    slug = live.add_provider(upstream, models=["cockatoo", "org/macaw"])
    listed = {model.id for model in client.models.list()}
    assert {f"{slug}/parrot", f"{slug}/cockatoo", f"{slug}/org/macaw", "tool:explain"} <= listed


def test_the_default_model_comes_first(client: OpenAI, model: str) -> None:
    assert client.models.list().data[0].id == model


def test_nothing_is_listed_twice(client: OpenAI, live: LiveServer, upstream: Upstream) -> None:
    live.add_provider(upstream, models=["parrot"])
    listed = [model.id for model in client.models.list()]
    assert len(listed) == len(set(listed))


def test_one_model_can_be_looked_up(client: OpenAI, model: str) -> None:
    found = client.models.retrieve(model)
    assert (found.id, found.owned_by) == (model, model.partition("/")[0])
