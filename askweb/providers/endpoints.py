"""Where a provider is called, and what must never be shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit, urlunsplit

COMPLETIONS = "/chat/completions"
MODELS = "/models"
SHORTEST_SECRET = 8
SHORTEST_IN_PATH = 16
"""Whatever is called so long in a path is likely an account's, or a key."""


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
        """The key, and what may be one by another name: in headers, and in the address."""
        headers = [value for value in self.headers.values() if len(value) >= SHORTEST_SECRET]
        return [*([self.api_key] if self.api_key else []), *headers, *self._secrets_in_address]

    @property
    def _secrets_in_address(self) -> list[str]:
        parts = urlsplit(self.base_url.strip())
        named = [value for _name, value in parse_qsl(parts.query) if len(value) >= SHORTEST_SECRET]
        return named + [part for part in parts.path.split("/") if len(part) >= SHORTEST_IN_PATH]

    def _url(self, call: str) -> str:
        parts = urlsplit(self.base_url.strip())
        path = parts.path.rstrip("/")
        for pasted in (COMPLETIONS, MODELS):
            path = path.removesuffix(pasted).rstrip("/")
        return urlunsplit(parts._replace(path=path + call, fragment=""))
