"""Let a reader count in 8 bits: `python -m models.train_quantise squares|pieces --views DIR...`.

Its convolutions take half the time then. The ranges of their inputs are found on jittered views
of the pictures in the folders, which are those of the training.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.pieces.train_data import Boards
from models.pieces.train_network import CODE
from models.squares.train_data import TopViews
from models.train_export import with_half_weights
from models.train_labels import LabelledFile, scenes

IN_BYTES = ["Conv", "Add", "Relu"]
"""Kinds of layers that count in bytes; those that compare squares keep their precision."""
SQUARES = 24
"""Squares of a board that the piece reader is shown."""


Inputs = dict[str, NDArray[Any]]


class Shown(CalibrationDataReader):
    """What a network is shown of some pictures, as the quantiser asks for it."""

    def __init__(self, inputs: Iterator[Inputs]) -> None:
        self._inputs = inputs

    def get_next(self) -> Inputs | None:
        return next(self._inputs, None)


def top_views(files: list[LabelledFile]) -> Iterator[Inputs]:
    """Yield the inputs of the square reader."""
    views = TopViews(files, jitter=0.03)
    for index in range(len(views)):
        yield {"pixels": views[index][0].numpy()[None]}


def upright_squares(files: list[LabelledFile]) -> Iterator[Inputs]:
    """Yield the inputs of the piece reader."""
    boards, none = Boards(files), np.zeros((0, CODE), dtype=np.float32)
    for index in range(len(boards)):
        crops, views, *_ = boards[index, SQUARES]
        yield {"crops": crops.numpy(), "views": views.numpy(), "known": none}


SHOWN: dict[str, Callable[[list[LabelledFile]], Iterator[Inputs]]] = {
    "squares": top_views,
    "pieces": upright_squares,
}


def with_whole_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Widen the weights that `train_export.with_half_weights` stored in 16 bits."""
    graph = model.graph
    widened = {
        node.input[0]: node
        for node in graph.node
        if node.op_type == "Cast" and node.input[0].endswith(".half")
    }
    for weight in [item for item in graph.initializer if item.name in widened]:
        node = widened[weight.name]
        values = numpy_helper.to_array(weight).astype(np.float32)
        graph.initializer.remove(weight)
        graph.initializer.append(numpy_helper.from_array(values, node.output[0]))
        graph.node.remove(node)
    return model


def quantised(model: onnx.ModelProto, views: CalibrationDataReader) -> onnx.ModelProto:
    """Return the network with its convolutions in 8 bits."""
    metadata: Any = list(model.metadata_props)
    with tempfile.TemporaryDirectory() as scratch:
        whole, shaped, small = (Path(scratch) / name for name in ("w.onnx", "s.onnx", "q.onnx"))
        onnx.save(with_whole_weights(model), whole)
        quant_pre_process(str(whole), str(shaped), skip_symbolic_shape=True)
        quantize_static(
            str(shaped),
            str(small),
            views,
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=IN_BYTES,
        )
        result = onnx.load(small)
    del result.metadata_props[:]
    result.metadata_props.extend(metadata)
    return with_half_weights(result)


def main() -> None:
    """Quantise a network of the package and note it in its manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(SHOWN))
    parser.add_argument("--views", type=Path, nargs="+", required=True, help="training pictures")
    parser.add_argument("--count", type=int, default=120, help="pictures of each folder")
    parser.add_argument("--to", type=Path, default=Path(__file__).parent, help="folder of models")
    options = parser.parse_args()
    folder: Path = options.to / options.name
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    file = folder / manifest["file"]
    pictures = [picture for views in options.views for picture in scenes(views)[: options.count]]
    onnx.save(quantised(onnx.load(file), Shown(SHOWN[options.name](pictures))), file)
    manifest["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    text = json.dumps(manifest, indent=2) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    print(file, file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
