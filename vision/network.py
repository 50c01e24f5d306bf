"""Run a network of ours on one picture."""

from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from models import Model, ModelError

from .reading import Image

Logits = NDArray[np.float32]

THREADS: Final = 1
"""One core for a board: the others belong to the other boards, the camera and the page."""


def session_of(model: Model) -> onnxruntime.InferenceSession:
    """Return the session of a model on one core.

    Raises:
        ModelError: the file's own classes are not those of its manifest.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Else a plan of the memory is kept for every number of squares ever looked at together.
    options.enable_mem_pattern = False
    session = onnxruntime.InferenceSession(model.onnx, options, providers=["CPUExecutionProvider"])
    inside = session.get_modelmeta().custom_metadata_map.get("classes", "")
    if tuple(inside.split("|")) != model.manifest.classes:
        raise ModelError(
            f"{model.manifest.file} has classes {inside!r}, its manifest"
            f" {'|'.join(model.manifest.classes)!r}"
        )
    return session


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return (..., C) logits as log-probabilities over the last axis, of the same type."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    total = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return np.asarray(shifted - total, dtype=logits.dtype)


class Network:
    """An ONNX session of one model, made once."""

    def __init__(self, model: Model) -> None:
        """Make the session.

        Raises:
            ModelError: the file's own classes are not those of its manifest.
        """
        self._session = session_of(model)
        self._input, self._output = model.manifest.input_name, model.manifest.output_name
        self._embeddings = model.manifest.embeddings_name

    def logits(self, bgr: Image) -> Logits:
        """Return the float32 output for one (H, W, 3) uint8 picture, without the batch axis."""
        (output,) = self._session.run([self._output], {self._input: bgr[None]})
        return np.asarray(output[0], dtype=np.float32)

    def logits_and_embeddings(self, bgr: Image) -> tuple[Logits, Logits]:
        """Return the logits as above and what the network knows of each square by itself.

        Raises:
            ModelError: the network has no such output.
        """
        if not self._embeddings:
            raise ModelError("this network was exported without embeddings")
        names = [self._output, self._embeddings]
        logits, embeddings = self._session.run(names, {self._input: bgr[None]})
        return np.asarray(logits[0], np.float32), np.asarray(embeddings[0], np.float32)
