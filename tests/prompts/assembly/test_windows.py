"""How much a model can read: as it was set, as it is listed, else a default."""

from typing import Any

import pytest

from askweb.providers.capabilities import Capabilities
from askweb.providers.local.exchange import ANSWER_TOKENS, CONTEXT_TOKENS
from askweb.providers.models import LOCAL, Provider
from prompts.budgeting import UNKNOWN_WINDOW, budget_of, window_of


def provider(**fields: Any) -> Provider:
    return Provider(slug="p", name="P", base_url="http://x", **fields)


class TestTheWindow:
    def test_is_what_the_provider_lists(self) -> None:
        listed = [{"id": "a", "context_window": 8000}, {"id": "b", "context_window": 9000}]
        assert window_of(provider(known_models=listed), "b") == 9000

    @pytest.mark.parametrize("window", [None, 0, -1, "many"])
    def test_is_a_default_where_nothing_useful_is_listed(self, window: object) -> None:
        assert (
            window_of(provider(known_models=[{"id": "a", "context_window": window}]), "a") == UNKNOWN_WINDOW
        )

    @pytest.mark.parametrize("name", ["a", "*"])
    def test_is_rather_what_was_set_for_the_model_or_all(self, name: str) -> None:
        known = {"known_models": [{"id": "a", "context_window": 8000}]}
        assert window_of(provider(**known, capabilities={name: {"context_window": 6000}}), "a") == 6000

    def test_of_the_local_model_is_known(self) -> None:
        assert window_of(provider(preset=LOCAL), "any") == CONTEXT_TOKENS

    @pytest.mark.parametrize("value", [-1, True, 1.5, "8000", None, 10**12])
    def test_can_not_be_set_to_nonsense(self, value: object) -> None:
        with pytest.raises(ValueError, match="context_window"):
            Capabilities().with_layer({"context_window": value})


class TestTheAnswer:
    @pytest.mark.parametrize(
        ("options", "kept_free"),
        [
            ({}, 4096),
            ({"max_tokens": 100}, 100),
            ({"max_completion_tokens": 10**6}, UNKNOWN_WINDOW // 2),
            ({"max_tokens": "x"}, 4096),
        ],
    )
    def test_is_kept_free_as_long_as_it_may_be(self, options: Any, kept_free: int) -> None:
        assert budget_of(provider(), "m", options).answer == kept_free

    def test_of_the_local_model_has_all_that_it_may_write(self) -> None:
        assert budget_of(provider(preset=LOCAL), "m", {}).answer == ANSWER_TOKENS

    def test_is_beside_the_functions_that_are_described(self) -> None:
        functions = [{"type": "function", "function": {"name": "f", "description": "word " * 100}}]
        plain, described = (budget_of(provider(), "m", options) for options in ({}, {"tools": functions}))
        assert described.available < plain.available - 100
