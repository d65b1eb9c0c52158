"""Where a provider is called, and what must never be shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

COMPLETIONS = "/chat/completions"
MODELS = "/models"
SHORTEST_SECRET = 8


@dataclass(frozen=True)
class Endpoint:
    """Where to call, and with what key.

    `base_url` is used as given: only the path of the call is added, a query stays behind it. A pasted
    `/chat/completions`, `/models` or trailing slash is tolerated.
    """

    base_url: str
    api_key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def completions_url(self) -> str:
        return self._url(COMPLETIONS)

    @property
    def models_url(self) -> str:
        return self._url(MODELS)

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.base_url

    @property
    def secrets(self) -> list[str]:
        """The key, and headers that may be keys by another name."""
        headers = [value for value in self.headers.values() if len(value) >= SHORTEST_SECRET]
        return [self.api_key, *headers] if self.api_key else headers

    def _url(self, call: str) -> str:
        parts = urlsplit(self.base_url.strip())
        path = parts.path.rstrip("/")
        for pasted in (COMPLETIONS, MODELS):
            path = path.removesuffix(pasted).rstrip("/")
        return urlunsplit(parts._replace(path=path + call, fragment=""))
