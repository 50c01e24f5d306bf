"""Look at a still picture several times: a little beside the place, and mirrored.

What the reader is unsure of comes out differently when the board is cut out a little otherwise;
the mean of such glances is right more often than one. A film has no time for it, and needs none:
there every frame is another glance.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from ..finding.lattice import LatticeFit
from ..reading import Image, LogProbabilities
from .top_view import top_view

BESIDE: Final = ((0.08, 0.05, 1.0), (-0.08, 0.05, 1.02), (0.0, -0.1, 0.98))
"""(x, y, scale) by which further glances are off, in squares: within what the locator errs."""


def mean_of_glances(
    bgr: Image, fit: LatticeFit, view: Image, read: Callable[[Image], LogProbabilities]
) -> LogProbabilities:
    """Return the (N, N, 6) log-probabilities of the mean of all glances at a board.

    Args:
        bgr: the unmirrored picture.
        fit: where the board lies in it.
        view: its top view.
        read: gives the log-probabilities of a top view.
    """
    probabilities = []
    for glance in _views(bgr, fit, view):
        probabilities.append(np.exp(read(glance)))
        swapped = read(np.ascontiguousarray(glance[:, ::-1]))
        probabilities.append(np.exp(swapped[:, ::-1]))
    return np.asarray(np.log(np.mean(probabilities, axis=0)), dtype=np.float32)


def _views(bgr: Image, fit: LatticeFit, view: Image) -> Iterator[Image]:
    yield view
    for x, y, scale in BESIDE:
        center = fit.size / 2 * (1 - scale)
        beside = np.array([[scale, 0.0, center + x], [0.0, scale, center + y], [0.0, 0.0, 1.0]])
        yield top_view(bgr, replace(fit, image_from_board=fit.image_from_board @ beside))
