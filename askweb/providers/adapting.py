"""A request that gives way: what the model turns out to refuse is left out, and the request sent again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askweb.providers.capabilities import Capabilities, Layer
from askweb.providers.errors import ProviderError
from askweb.providers.fitting import Fitted, Message, fit
from askweb.providers.refusals import refused

MOST_DOWNGRADES = 3


class Request:
    """One request to one model. `learned` is to be remembered once the model has accepted what was left.

    `paragraph` is for the system message of a model without functions, in place of what they offer.
    """

    def __init__(
        self,
        model: str,
        messages: Sequence[Message],
        options: Mapping[str, object],
        capabilities: Capabilities,
        paragraph: str = "",
    ) -> None:
        self.model = model
        self.capabilities = capabilities
        self.fitted: Fitted = fit(messages, options, capabilities, paragraph)
        self.learned: dict[str, object] = {}
        self._messages = messages
        self._options = options
        self._paragraph = paragraph
        self._downgrades = 0

    def body(self) -> dict[str, object]:
        return self.fitted.body(self.model)

    def give_way(self, error: ProviderError) -> bool:
        """Leave out what the error complains about; False when it complains about nothing that can be left out."""
        if self._downgrades == MOST_DOWNGRADES:
            return False
        for layer in refused(error, self.body(), self.capabilities):
            capabilities = self.capabilities.with_layer(layer)
            fitted = fit(self._messages, self._options, capabilities, self._paragraph)
            if fitted.body(self.model) != self.body():
                self._downgrades += 1
                self.capabilities, self.fitted = capabilities, fitted
                self._learn(layer)
                return True
        return False

    def _learn(self, layer: Layer) -> None:
        self.learned |= layer
        if self.capabilities.refuses:
            self.learned["refuses"] = sorted(self.capabilities.refuses)
