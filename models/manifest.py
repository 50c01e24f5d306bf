"""Load a network and what the code must know about it."""

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from .errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a model's manifest.json says."""

    file: str
    sha256: str
    task: str
    classes: tuple[str, ...]
    input_name: str
    """(B, H, W, 3) uint8, blue green red; normalised inside the network."""
    output_name: str
    embeddings_name: str
    """What the network knows of each square by itself, (B, N, N, C); empty where it has none."""
    stride: int
    """Input pixels of one output cell."""
    opset: int
    trained_on: tuple[str, ...]
    licence: str


@dataclass(frozen=True, slots=True)
class Model:
    """A network as bytes, with its manifest."""

    onnx: bytes
    manifest: Manifest


def load(name: str) -> Model:
    """Return the model of a folder of this package, its hash checked.

    Raises:
        ModelError: it is missing or its bytes are not those of the manifest.
    """
    folder = files("models") / name
    try:
        manifest = _parse(json.loads((folder / "manifest.json").read_text(encoding="utf-8")))
        onnx = (folder / manifest.file).read_bytes()
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ModelError(f"model {name!r} cannot be read: {error}") from error
    found = hashlib.sha256(onnx).hexdigest()
    if found != manifest.sha256:
        raise ModelError(f"{manifest.file}: sha256 is {found}, the manifest says {manifest.sha256}")
    return Model(onnx, manifest)


def _parse(fields: dict[str, Any]) -> Manifest:
    return Manifest(
        file=str(fields["file"]),
        sha256=str(fields["sha256"]),
        task=str(fields["task"]),
        classes=tuple(fields["classes"]),
        input_name=str(fields["input_name"]),
        output_name=str(fields["output_name"]),
        embeddings_name=str(fields.get("embeddings_name", "")),
        stride=int(fields["stride"]),
        opset=int(fields["opset"]),
        trained_on=tuple(fields["trained_on"]),
        licence=str(fields["licence"]),
    )
