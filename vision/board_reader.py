"""Read a board: one picture from nothing, or the frames of a film with a known board."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from models import load
from rules import Position, board_size

from .distortion import Points
from .finding.board_finder import BoardFinder
from .finding.board_tracker import BoardTracker
from .finding.lattice import LatticeFit
from .finding.placing import placed_fit
from .following.contents import contents_of, places_of
from .network import Network, log_softmax
from .projection import beyond_picture, outer_corners
from .reading import BoardPose, Image, LogProbabilities, Reading, WhiteSide
from .squares.covers import Covers
from .squares.glances import mean_of_glances
from .squares.one_look import Embeddings, OneLook, take_look
from .squares.orientation import (
    Orientation,
    as_pictured,
    as_white_sees,
    declared,
    orient,
    picture_from_white,
)
from .squares.pieces import PieceReader
from .squares.seat import Seat
from .squares.start_array import as_at_start
from .squares.stillness import MOST_SKIPPED, Stillness
from .squares.top_view import top_view
from .squares.two_colors import ColorsOfFilm, agree_on_colors

NOT_SEEN: Final = np.log([0.0002, 0.0002, 0.0002, 0.0002, 0.0002, 0.999]).astype(np.float32)
"""What is said of a square beyond the edge of the picture."""
SAMPLE_STEP: Final = 8
"""Every so many pixels tell a frozen stream: the noise of a sensor changes all of them."""


@dataclass(frozen=True, eq=False)
class Look:
    """A reading in the picture's own orientation, before it is known where White sits."""

    fit: LatticeFit
    log_probabilities: LogProbabilities
    view: Image
    embeddings: Embeddings
    untaught: LogProbabilities
    """What is read without what a look at the start position told."""


class BoardReader:
    """Finds and reads boards; remembers the board of a film, White's side once it is certain."""

    def __init__(
        self,
        *,
        size: int | None = None,
        white_side: WhiteSide | None = None,
        mirrored: bool = False,
        corners: Points | None = None,
        skips_still: bool = True,
    ) -> None:
        """Load the networks.

        Args:
            size: squares along one side when it is known, else any of 8, 10, 12.
            white_side: the side of the picture nearest to White when it is known.
            mirrored: the camera delivers pictures that are swapped left and right.
            corners: (4, 2) pixels where a person says that the board of a film lies, in order
                around it; needs `size`.
            skips_still: take over the reading of the frame before where a film shows nothing new.

        Raises:
            ModelError: a model file is not what its manifest says.
            ValueError: corners without a size.
        """
        if corners is not None and size is None:
            raise ValueError("the corners of a board need its size")
        self._corners, self._size = corners, size
        self._declared, self._mirrored = white_side, mirrored
        self._tracker = BoardTracker(BoardFinder(), (8, 10, 12) if size is None else (size,))
        self._seat = Seat()
        self._covers = Covers()
        self._stillness = Stillness(0 if not skips_still else MOST_SKIPPED)
        self._last: Reading | None = None
        self._digest = b""
        self._colors = ColorsOfFilm()
        self._taught: OneLook | None = None
        self._seen: tuple[Look, WhiteSide] | None = None
        self._network = Network(load("squares"))
        self._pieces = PieceReader(load("pieces"))

    def read(
        self, bgr: Image, *, at_ms: int = 0, lap: Callable[[str], None] = lambda step: None
    ) -> Reading | None:
        """Return what stands on the board of a (H, W, 3) uint8 picture, None without a board.

        Args:
            bgr: the picture.
            at_ms: its time.
            lap: called with `locate` and `read` when that step is done, to take the times.
        """
        readings = self.read_all(bgr, at_ms=at_ms, lap=lap)
        return readings[0] if readings else None

    def read_all(
        self, bgr: Image, *, at_ms: int = 0, lap: Callable[[str], None] = lambda step: None
    ) -> tuple[Reading, ...]:
        """Return the readings of all boards in the picture, the largest and surest first."""
        self._stillness.forget()
        upright = self._unmirrored(bgr)
        fits = self._tracker.find(upright)
        lap("locate")
        looks = [self.look(upright, fit, thorough=True) for fit in fits]
        readings = [
            self._reading(look, self.orientation(look), at_ms=at_ms) for look in reversed(looks)
        ]
        lap("read")
        return tuple(reversed(readings))

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return the reading of a film's next frame, None while the board cannot be found.

        The board is kept from frame to frame and found again by itself after a bump; a frame
        that equals the one before is marked stale, and one that shows nothing new on the board
        is told as the one before was read.
        """
        digest = fingerprint(bgr)
        if digest == self._digest and self._last is not None:
            return replace(self._last, at_ms=at_ms, is_stale=True)
        upright = self._unmirrored(bgr)
        if self._corners is not None and self._size is not None:
            self._tracker.place(upright, self._placed(self._corners, self._size, bgr))
            self._corners = None
        fit = self._tracker.update(upright, at_ms)
        self._digest = digest
        if fit is None:
            self._last = None
            return None
        look = self._followed(upright, fit, at_ms)
        orientation = self._seat.update(fit, lambda: self.orientation(look))
        covered = self._covers.update(look.view, look.log_probabilities, at_ms)
        turned = as_white_sees(covered, orientation.white_side)
        reading = self._reading(look, orientation, at_ms=at_ms)
        self._last = replace(reading, covered=turned)
        return self._last

    def _followed(self, upright: Image, fit: LatticeFit, at_ms: int) -> Look:
        """Return the look at a film's next frame: that of the one before where nothing moved."""
        view = top_view(upright, fit)
        before = self._seen[0] if self._seen is not None else None
        if (
            before is not None
            and self._stillness.is_still(view, at_ms)
            and before.fit.size == fit.size
        ):
            return replace(before, fit=fit, view=view)
        return self.look(upright, fit, view=view)

    def learn(self, position: Position) -> OneLook | None:
        """Learn this set, board and light from the board that was read last (L12).

        Args:
            position: what stands on it.

        Returns:
            What was learned, used from now on; None, and nothing changes, where no such board
            was read, something else stands on it or its squares cannot be told apart.
        """
        size = board_size(position.variant)
        if self._seen is None or self._seen[0].fit.size != size:
            return None
        look, side = self._seen
        played = np.zeros(size * size, dtype=bool)
        played[places_of(position.variant)] = True
        taught = take_look(
            look.embeddings,
            look.untaught,
            as_pictured(contents_of(position).reshape(size, size), side),
            as_pictured(played.reshape(size, size), side),
        )
        self._taught = taught or self._taught
        self._stillness.forget()
        return taught

    def forget(self) -> None:
        """Read as if nothing had been learned: the camera or the board stands elsewhere."""
        self._taught = None
        self._pieces.forget()
        self._stillness.forget()

    def look(
        self,
        bgr: Image,
        fit: LatticeFit,
        *,
        thorough: bool = False,
        view: Image | None = None,
    ) -> Look:
        """Read the squares of a board that was found in an unmirrored picture.

        Args:
            bgr: the unmirrored picture.
            fit: where the board lies in it.
            thorough: glance at it several times, as there is time for with a still picture.
            view: its top view, where that is known.
        """
        view = top_view(bgr, fit) if view is None else view
        logits, embeddings = self._network.logits_and_embeddings(view)
        alone = log_softmax(logits)
        if thorough:
            alone = mean_of_glances(
                bgr, fit, view, lambda glance: log_softmax(self._network.logits(glance))
            )
        both = (self._pieces.read if thorough else self._pieces.follow)(bgr, fit, alone)
        agree = agree_on_colors if thorough else self._colors.agree
        untaught = agree(both, view, self._pieces.middles)
        told = untaught
        if self._taught is not None:
            told = self._taught.adapted(embeddings, untaught)
        return Look(fit, as_at_start(told), view, embeddings, untaught)

    def orientation(self, look: Look) -> Orientation:
        """Return where White sits: what was declared, else what the men and squares say."""
        if self._declared is not None:
            side = _mirrored_side(self._declared) if self._mirrored else self._declared
            return declared(side, look.log_probabilities, look.view)
        return orient(look.log_probabilities, look.view)

    def _reading(self, look: Look, orientation: Orientation, *, at_ms: int) -> Reading:
        pose = board_pose(look.fit, orientation)
        if self._mirrored:
            pose = mirrored(pose)
        self._seen = look, orientation.white_side
        turned = as_white_sees(look.log_probabilities, orientation.white_side)
        outside = beyond_picture(pose)
        if outside.any():
            turned = np.where(outside[..., None], NOT_SEEN, turned)
        return Reading(at_ms=at_ms, pose=pose, log_probabilities=turned)

    def _placed(self, corners: Points, size: int, bgr: Image) -> LatticeFit:
        height, width = bgr.shape[:2]
        points = np.asarray(corners, dtype=np.float64)
        if self._mirrored:
            points = np.column_stack([width - 1 - points[:, 0], points[:, 1]])
        return placed_fit(points, size, width=width, height=height)

    def _unmirrored(self, bgr: Image) -> Image:
        return np.ascontiguousarray(bgr[:, ::-1]) if self._mirrored else bgr


def board_pose(fit: LatticeFit, orientation: Orientation) -> BoardPose:
    """Return the pose in White's board units of a lattice in the picture's."""
    turned = fit.image_from_board @ picture_from_white(orientation.white_side, fit.size)
    return BoardPose(
        size=fit.size,
        image_from_board=turned,
        distortion=fit.distortion,
        width=fit.width,
        height=fit.height,
        error_px=fit.error_px,
        white_side=orientation.white_side,
        white_side_certain=orientation.is_certain,
        placed_correctly=orientation.placed_correctly,
    )


def mirrored(pose: BoardPose) -> BoardPose:
    """Return the pose in the picture as the camera delivered it, swapped left and right."""
    swap = np.array([[-1.0, 0.0, pose.width - 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    k1, center_x, center_y = pose.distortion
    return replace(
        pose,
        image_from_board=swap @ pose.image_from_board,
        distortion=(k1, pose.width - 1.0 - center_x, center_y),
        white_side=_mirrored_side(pose.white_side),
    )


def _mirrored_side(side: WhiteSide) -> WhiteSide:
    swapped: dict[WhiteSide, WhiteSide] = {"left": "right", "right": "left"}
    return swapped.get(side, side)


def corners(pose: BoardPose) -> tuple[tuple[float, float], ...]:
    """Return [near-left, near-right, far-right, far-left] pixels as White sees them."""
    far_left, far_right, near_right, near_left = outer_corners(pose).tolist()
    ordered = (near_left, near_right, far_right, far_left)
    return tuple((round(x, 2), round(y, 2)) for x, y in ordered)


def fingerprint(bgr: Image) -> bytes:
    """Return a digest that is the same for two pictures only when no pixel of a sample differs."""
    sample = np.ascontiguousarray(bgr[::SAMPLE_STEP, ::SAMPLE_STEP])
    return hashlib.blake2b(sample.tobytes(), digest_size=16).digest()
