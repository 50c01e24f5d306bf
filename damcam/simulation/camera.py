"""A camera that films a script: frames like those of any other source, with their truth."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Final, Self

from device import Frame
from models.scenes import Disc

from .cast import Cast
from .director import Director
from .looks import FilmLook, random_look
from .pace import NORMAL, Pace, Table
from .script import Script
from .studio import Scene, Shot, Studio
from .truth import FrameLabel, Truth, truth_of


class SimulatedCamera:
    """Films a script; an iterator of frames."""

    def __init__(
        self,
        script: Script,
        *,
        seed: int = 0,
        fps: float = 10.0,
        look: FilmLook | None = None,
        pace: Pace = NORMAL,
    ) -> None:
        """Plan the film.

        Args:
            script: what happens.
            seed: draws the look, where none is given, and all that is left to chance.
            fps: frames a second.
            look: how it looks.
            pace: how fast people are.

        Raises:
            ValueError: the look is that of a board of another size, or `fps` is not above 0.
        """
        size = script.size
        self._look = look or random_look(seed, size)
        if self._look.size != size:
            raise ValueError(f"the look must be that of a board of {size}, got {self._look.size}")
        if fps <= 0:
            raise ValueError(f"fps must be above 0, got {fps!r}")
        self._fps = fps
        self._table = Table(size=size, border=self._look.board.border)
        cast = Cast(self._table, script.pieces, pace=pace, random=Random(seed))
        self._plan = Director(cast).run(script.items)
        self.truth: Final[Truth] = truth_of(script, self._plan)
        self._next = 0
        self._last: Frame | None = None
        self._labels: dict[int, FrameLabel] = {}
        self._shown: tuple[Shot, tuple[str, ...]] | None = None
        """The last shot and what it shows."""

    @property
    def is_live(self) -> bool:
        """Tell that frames wait until they are taken."""
        return False

    @property
    def frame_count(self) -> int:
        """Return how many frames there are, dropped ones included."""
        return int(self.truth.end_ms * self._fps / 1000) + 1

    @property
    def description(self) -> str:
        """Return what is filmed in a few words."""
        view, board, men = self._look.view, self._look.board.name, self._look.men.name
        return (
            f"simulated camera, {view.width}x{view.height} at {self._fps:g} fps, "
            f"{self._look.size}x{self._look.size} {board} board, {men} men"
        )

    @property
    def picture_size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self._look.view.width, self._look.view.height

    def now_ms(self) -> int:
        """Return the time of the last frame."""
        return self._last.at_ms if self._last else 0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        while self._next < self.frame_count:
            index = self._next
            self._next += 1
            at_ms = round(index * 1000 / self._fps)
            gap = self._plan.gap_at(at_ms)
            if gap is None or self._last is None:
                self._last = self._film(index, at_ms)
            elif gap.kind == "frozen":
                label = replace(self._labels[self._last.index], index=index, at_ms=at_ms)
                self._labels[index] = replace(label, is_frozen=True)
                self._last = replace(self._last, index=index, at_ms=at_ms)
            else:
                continue
            return self._last
        raise StopIteration

    def close(self) -> None:
        """Stop filming; the iterator ends."""
        self._next = self.frame_count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def label(self, index: int) -> FrameLabel:
        """Return the truth of a frame that was given.

        Raises:
            KeyError: there was no such frame; it was dropped or comes later.
        """
        return self._labels[index]

    def grid_at(self, at_ms: int) -> tuple[str, ...]:
        """Return what stands on the squares at a time, seen by the camera or not."""
        return tuple("".join(row) for row in self._plan.grid_at(at_ms))

    @cached_property
    def _studio(self) -> Studio:
        return Studio(self._look, self._table, has_clock=bool(self.truth.presses))

    def _film(self, index: int, at_ms: int) -> Frame:
        scene = self._scene(at_ms)
        shot = self._studio.shoot(scene)
        if self._shown is None or self._shown[0] is not shot:
            self._shown = (shot, self._grid_of(shot, at_ms))
        self._labels[index] = FrameLabel(
            index=index,
            at_ms=at_ms,
            size=self._look.size,
            grid=self._shown[1],
            has_hand=bool(scene.hands),
            is_frozen=False,
            lattice=shot.lattice,
        )
        return Frame(bgr=self._studio.expose(shot, index), at_ms=at_ms, index=index)

    def _scene(self, at_ms: int) -> Scene:
        plan, height = self._plan, self._look.men.height
        resting: list[Disc] = []
        carried: list[Disc] = []
        for man, pose in plan.men_at(at_ms):
            z = pose.lift + pose.level * height
            disc = Disc(x=pose.x, y=pose.y, z=z, is_white=man.is_white, turn=man.turn)
            (carried if plan.is_carried(man, pose, at_ms) else resting).append(disc)
        lamp = plan.lamp.at(at_ms)
        return Scene(
            resting=tuple(resting),
            carried=tuple(carried),
            hands=tuple(plan.hands_at(at_ms).items()),
            view=plan.view_at(at_ms),
            gain=lamp.x if lamp else 1.0,
        )

    def _grid_of(self, shot: Shot, at_ms: int) -> tuple[str, ...]:
        grid = zip(self._plan.grid_at(at_ms), shot.hidden, strict=True)
        return tuple(
            "".join("?" if is_hidden else letter for letter, is_hidden in zip(*row, strict=True))
            for row in grid
        )
