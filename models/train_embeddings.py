"""Show what the square reader knows of each square by itself.

The second output holds the cells before the squares are told of each other: the same man on the
same square gives the same numbers whatever else stands on the board, which is what a look at a
known position needs (`vision.squares.one_look`). The logits are not touched.
"""

import numpy as np
import onnx
from onnx import helper, numpy_helper

NAME = "embeddings"
LAST_STRIDE = 3
"""The only convolution with this stride makes the cells of the squares."""


def with_embeddings(model: onnx.ModelProto) -> onnx.ModelProto:
    """Add the output `embeddings` (B, N, N, C) to the square reader.

    Raises:
        ValueError: the network has no layer, or several, that makes squares of pixels.
    """
    graph = model.graph
    if NAME in (output.name for output in graph.output):
        return model
    makers = [node for node in graph.node if _stride(node) == LAST_STRIDE]
    if len(makers) != 1:
        raise ValueError(f"expected one convolution of stride {LAST_STRIDE}, found {len(makers)}")
    (cells,) = (node for node in graph.node if makers[0].output[0] in node.input)
    for name, values in (("first", [1, 1]), ("last", [-1, -1]), ("across", [2, 3])):
        value = numpy_helper.from_array(np.array(values, dtype=np.int64), f"{NAME}.{name}")
        graph.initializer.append(value)
    graph.node.append(
        helper.make_node(
            "Slice",
            [cells.output[0], *(f"{NAME}.{name}" for name in ("first", "last", "across"))],
            [f"{NAME}.inner"],
        )
    )
    graph.node.append(helper.make_node("Transpose", [f"{NAME}.inner"], [NAME], perm=[0, 2, 3, 1]))
    shape = ["boards", "rows", "columns", "numbers"]
    graph.output.append(helper.make_tensor_value_info(NAME, onnx.TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    return model


def _stride(node: onnx.NodeProto) -> int:
    if node.op_type != "Conv":
        return 0
    return next((each.ints[0] for each in node.attribute if each.name == "strides"), 1)
