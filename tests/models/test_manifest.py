import json
from pathlib import Path

import pytest

import models
from models import ModelError, load
from vision import SquareState

NAMES = ("crossings", "pieces", "squares")
INPUTS = {"pieces": "crops"}
ROOT = Path(models.__file__).parent


@pytest.mark.parametrize("name", NAMES)
def test_model_is_what_its_manifest_says(name: str) -> None:
    model = load(name)
    assert model.manifest.file == f"{name}.onnx"
    assert model.manifest.input_name == INPUTS.get(name, "pixels")


def test_square_classes_are_those_of_the_reading() -> None:
    words = tuple(state.name.lower().replace("_", " ") for state in SquareState)
    assert load("squares").manifest.classes == words


def test_models_stay_small() -> None:
    assert sum((ROOT / name / f"{name}.onnx").stat().st_size for name in NAMES) <= 4_200_000


@pytest.mark.parametrize("name", NAMES)
def test_every_model_has_a_card(name: str) -> None:
    card = (ROOT / name / "card.md").read_text(encoding="utf-8")
    for heading in ("Task", "Input", "Data", "Figures", "Known failures"):
        assert f"## {heading}" in card


def test_missing_model_is_a_model_error() -> None:
    with pytest.raises(ModelError, match="'knights'"):
        load("knights")


def test_changed_bytes_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((ROOT / "squares" / "manifest.json").read_text())
    folder = tmp_path / "squares"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "squares.onnx").write_bytes(b"not the network")
    monkeypatch.setattr("models.manifest.files", lambda package: tmp_path)
    with pytest.raises(ModelError, match=r"squares\.onnx: sha256 is"):
        load("squares")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"file": 3}'])
def test_broken_manifest_is_a_model_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "squares").mkdir()
    (tmp_path / "squares" / "manifest.json").write_text(text)
    monkeypatch.setattr("models.manifest.files", lambda package: tmp_path)
    with pytest.raises(ModelError, match="cannot be read"):
        load("squares")
