"""Write a trained network as ONNX with its manifest: `python -m models.train_export ...`."""

import argparse
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn

from models.crossings.train_network import STRIDE, CrossingFinder
from models.pieces.train_network import CODE, VIEWS, PieceReader
from models.squares.train_network import SquareReader
from models.train_embeddings import NAME as EMBEDDINGS
from models.train_embeddings import with_embeddings

OPSET = 17
SMALL = 64
"""Tables of fewer weights are not worth a node that widens them."""
SQUARE_CLASSES = ("empty", "white man", "white king", "black man", "black king", "hidden")
MAP_CLASSES = ("inner crossing", "border point", "playing area")
PIECE_CLASSES = ("empty", "white", "black", "hidden", "king")
SQUARE_PX, CROP_PX = 24, 64
TRAINED_ON = (
    "raster scenes (python -m models.scenes)",
    "physically based scenes (python -m models.scenes.blender)",
    "photos under MIT and Apache-2.0 licences, split by board",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Exported:
    """What the ONNX file of a network is to look like."""

    make: Callable[[], nn.Module]
    task: str
    classes: tuple[str, ...]
    stride: int
    example: tuple[torch.Tensor, ...]
    axes: dict[str, dict[int, str]]
    """Names of the axes of any length of each input and output, in their order."""
    inputs: int = 1


def pixels(side: int) -> tuple[torch.Tensor, ...]:
    """Return an empty picture as the networks take it."""
    return (torch.zeros(1, side, side, 3, dtype=torch.uint8),)


OF_PICTURES = {"pixels": {0: "b", 1: "h", 2: "w"}, "logits": {0: "b"}}
EXPORTED = {
    "squares": Exported(
        make=SquareReader,
        task="what stands on each square of the top view",
        classes=SQUARE_CLASSES,
        stride=SQUARE_PX,
        example=pixels(12 * SQUARE_PX),
        axes=OF_PICTURES,
    ),
    "crossings": Exported(
        make=CrossingFinder,
        task="where the squares of a board meet",
        classes=MAP_CLASSES,
        stride=STRIDE,
        example=pixels(384),
        axes=OF_PICTURES,
    ),
    "pieces": Exported(
        make=PieceReader,
        task="what stands on single squares, seen upright",
        classes=PIECE_CLASSES,
        stride=CROP_PX,
        example=(
            torch.zeros(3, CROP_PX, CROP_PX, 3, dtype=torch.uint8),
            torch.zeros(3, VIEWS),
            torch.zeros(2, CODE),
        ),
        axes={
            "crops": {0: "p"},
            "views": {0: "p"},
            "known": {0: "q"},
            "logits": {0: "r"},
            "codes": {0: "p"},
        },
        inputs=3,
    ),
}


def export(network: nn.Module, file: Path, wanted: Exported) -> None:
    """Write the ONNX file and manifest.json beside it; that of squares with its embeddings."""
    network.eval()
    names = list(wanted.axes)
    torch.onnx.export(
        network,
        wanted.example,
        str(file),
        input_names=names[: wanted.inputs],
        output_names=names[wanted.inputs :],
        dynamic_axes=wanted.axes,
        opset_version=OPSET,
        dynamo=False,
    )
    graph = with_half_weights(onnx.load(file))
    of_squares = isinstance(network, SquareReader)
    if of_squares:
        graph = with_embeddings(graph)
    said = {"task": wanted.task, "classes": "|".join(wanted.classes), "stride": str(wanted.stride)}
    for key, value in said.items():
        entry = graph.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(graph, file)
    manifest = {
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "task": wanted.task,
        "classes": wanted.classes,
        "input_name": names[0],
        "output_name": "logits",
        "embeddings_name": EMBEDDINGS if of_squares else "",
        "stride": wanted.stride,
        "opset": OPSET,
        "trained_on": TRAINED_ON,
        "licence": "MIT",
    }
    text = json.dumps(manifest, indent=2) + "\n"
    file.with_name("manifest.json").write_text(text, encoding="utf-8")
    print(file, file.stat().st_size, "bytes")


def with_half_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Store every large table of weights in 16 bits, widened again when the file is loaded."""
    graph, casts = model.graph, []
    for weight in list(graph.initializer):
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < SMALL or values.ndim < 2:
            continue
        half = numpy_helper.from_array(values.astype(np.float16), f"{weight.name}.half")
        casts.append(
            helper.make_node("Cast", [half.name], [weight.name], to=onnx.TensorProto.FLOAT)
        )
        graph.initializer.remove(weight)
        graph.initializer.append(half)
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    return model


def main() -> None:
    """Export one network from its checkpoint into its folder of the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(EXPORTED))
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="folder of models")
    options = parser.parse_args()
    wanted = EXPORTED[options.name]
    network = wanted.make()
    network.load_state_dict(torch.load(options.checkpoint, weights_only=True)["network"])
    folder = options.to / options.name
    folder.mkdir(parents=True, exist_ok=True)
    export(network, folder / f"{options.name}.onnx", wanted)


if __name__ == "__main__":
    main()
