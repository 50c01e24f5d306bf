"""Start a training from an exported network: no checkpoint is needed to go on with a model."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

MOMENTS = 24
"""Batches over which the scales of the normalisations are found again."""


def start_from_onnx(
    network: nn.Module, file: Path, batches: Iterable[Tensor | tuple[Tensor, ...]]
) -> None:
    """Give a network the weights of an ONNX file that `models.train_export` wrote.

    The export folds each batch normalisation into the convolution before it. Here the
    normalisation is found again from what the convolution gives on real batches, so that
    the network computes what the file does, in training too. Weights that the file does not
    have stay as they are.

    Args:
        network: of the file's shape, or with more at its end.
        file: the ONNX file.
        batches: pictures as the network takes them; `MOMENTS` batches are used.
    """
    graph = onnx.load(file).graph
    weights = stored_weights(graph)
    state = network.state_dict()
    named = {name: tensor for name, tensor in weights.items() if name in state}
    network.load_state_dict(named, strict=False)
    convolutions = [n for n in graph.node if n.op_type == "Conv"]
    inputs = [[plain(name) for name in node.input[1:3]] for node in convolutions]
    folded = [pair for pair in inputs if pair[0] not in state]
    pairs = conv_pairs(network)
    for (conv, norm), (weight, bias) in zip(pairs, folded, strict=False):
        conv.weight.data.copy_(weights[weight])
        norm.bias.data.copy_(weights[bias])
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0 - norm.eps)
        norm.weight.data.fill_(1.0)
    _find_moments(network, pairs[: len(folded)], batches)


def plain(name: str) -> str:
    """Return the name that a tensor had before it was stored in fewer bits."""
    return name.removesuffix(".half").removesuffix("_DequantizeLinear_Output")


def stored_weights(graph: onnx.GraphProto) -> dict[str, Tensor]:
    """Return the weights of a file by name, whether they are stored in 32, 16 or 8 bits."""
    values = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    weights = {plain(name): array for name, array in values.items() if array.dtype.kind == "f"}
    for node in graph.node:
        if node.op_type != "DequantizeLinear" or node.input[0] not in values:
            continue
        whole, scale, zero = (values[name] for name in node.input)
        axis = next((each.i for each in node.attribute if each.name == "axis"), 0)
        shape = [-1 if at == axis else 1 for at in range(whole.ndim)] if scale.ndim else []
        centered = whole.astype(np.float32) - zero.reshape(shape).astype(np.float32)
        weights[plain(node.output[0])] = centered * scale.reshape(shape)
    return {name: torch.from_numpy(np.array(array, np.float32)) for name, array in weights.items()}


def conv_pairs(network: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return each convolution that a batch normalisation follows, in order."""
    layers = [m for m in network.modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
    return [
        (one, other)
        for one, other in pairwise(layers)
        if isinstance(one, nn.Conv2d) and isinstance(other, nn.BatchNorm2d)
    ]


def _find_moments(
    network: nn.Module,
    pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]],
    batches: Iterable[Tensor | tuple[Tensor, ...]],
) -> None:
    sums: dict[nn.Module, list[Tensor]] = {norm: [] for _, norm in pairs}
    hooks = [
        norm.register_forward_pre_hook(lambda norm, inputs: sums[norm].append(_moments(inputs[0])))
        for _, norm in pairs
    ]
    network.eval()
    with torch.no_grad():
        for _, pixels in zip(range(MOMENTS), batches, strict=False):
            network(*pixels) if isinstance(pixels, tuple) else network(pixels)
    for hook in hooks:
        hook.remove()
    for _, norm in pairs:
        mean, square = torch.stack(sums[norm]).mean(0)
        variance = square - mean**2
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.bias.data += mean
        norm.weight.data.copy_((variance + norm.eps).sqrt())


def _moments(x: Tensor) -> Tensor:
    return torch.stack([x.mean(dim=(0, 2, 3)), (x**2).mean(dim=(0, 2, 3))])
