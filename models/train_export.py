"""Write a trained network as ONNX with its manifest: `python -m models.train_export ...`."""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn

from models.crossings.train_network import STRIDE, CrossingFinder
from models.squares.train_network import SquareReader
from models.train_embeddings import NAME as EMBEDDINGS
from models.train_embeddings import with_embeddings

OPSET = 17
SMALL = 64
"""Weights of fewer values are not worth a node that widens them."""
SQUARE_CLASSES = ("empty", "white man", "white king", "black man", "black king", "hidden")
MAP_CLASSES = ("inner crossing", "border point", "playing area")
TRAINED_ON = (
    "raster scenes (python -m models.scenes)",
    "physically based scenes (python -m models.scenes.blender)",
    "photos under MIT and Apache-2.0 licences, split by board",
)


def export(
    network: nn.Module, file: Path, *, task: str, output: str, classes: tuple[str, ...], stride: int
) -> None:
    """Write the ONNX file and manifest.json beside it; that of squares with its embeddings."""
    network.eval()
    side = stride * 12 if stride == 24 else 384
    torch.onnx.export(
        network,
        (torch.zeros(1, side, side, 3, dtype=torch.uint8),),
        str(file),
        input_names=["pixels"],
        output_names=[output],
        dynamic_axes={"pixels": {0: "b", 1: "h", 2: "w"}, output: {0: "b"}},
        opset_version=OPSET,
        dynamo=False,
    )
    graph = with_half_weights(onnx.load(file))
    of_squares = isinstance(network, SquareReader)
    if of_squares:
        graph = with_embeddings(graph)
    for key, value in (("task", task), ("classes", "|".join(classes)), ("stride", str(stride))):
        entry = graph.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(graph, file)
    manifest = {
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "task": task,
        "classes": classes,
        "input_name": "pixels",
        "output_name": output,
        "embeddings_name": EMBEDDINGS if of_squares else "",
        "stride": stride,
        "opset": OPSET,
        "trained_on": TRAINED_ON,
        "licence": "MIT",
    }
    text = json.dumps(manifest, indent=2) + "\n"
    file.with_name("manifest.json").write_text(text, encoding="utf-8")
    print(file, file.stat().st_size, "bytes")


def with_half_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Store every large weight in 16 bits, widened again when the file is loaded."""
    graph, casts = model.graph, []
    for weight in list(graph.initializer):
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < SMALL:
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
    parser.add_argument("name", choices=["crossings", "squares"])
    parser.add_argument("checkpoint", type=Path)
    options = parser.parse_args()
    file = Path(__file__).parent / options.name / f"{options.name}.onnx"
    state = torch.load(options.checkpoint, weights_only=True)["network"]
    if options.name == "squares":
        reader = SquareReader()
        reader.load_state_dict(state)
        export(
            reader,
            file,
            task="what stands on each square of the top view",
            output="logits",
            classes=SQUARE_CLASSES,
            stride=24,
        )
    else:
        finder = CrossingFinder()
        finder.load_state_dict(state)
        export(
            finder,
            file,
            task="where the squares of a board meet",
            output="logits",
            classes=MAP_CLASSES,
            stride=STRIDE,
        )


if __name__ == "__main__":
    main()
