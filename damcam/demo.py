"""The main job without hardware: a simulated camera, virtual clock and lights, the real session.

The simulated players press the lever of an emulated controller on a pseudo-terminal; the driver,
the session and the outputs are those of any other recording.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from device import Frame
from device.emulated import ControllerBoard
from rules import Color, Setup, Variant, move_text, to_fen
from vision import Reading

from .game.items import PlayedMove
from .game.pdn_text import hms
from .game.record import GameRecord
from .simulation import NORMAL, SimulatedCamera, Truth, eventful_script, random_game, script_of

INCIDENTS: Final = ("5.4.2", "5.4.5", "5.4.6", "5.4.1")
"""What `--incidents` lets happen: an irregular move, the opponent's man, a forgotten capture,
two moves in a row."""

SIDES: Final = {Color.WHITE: "L", Color.BLACK: "R"}
"""White sits at the left of the emulated clock."""


def simulated_camera(*, seed: int, plies: int, clauses: Sequence[str] = ()) -> SimulatedCamera:
    """Return a camera that films a random game whose players press a clock.

    Args:
        seed: Which game, table and light.
        plies: The length of the game.
        clauses: Irregularities that happen on the way, by clause.
    """
    if clauses:
        script = eventful_script(seed, plies=plies, clauses=clauses, has_clock=True)
    else:
        game = random_game(Variant.INTERNATIONAL, seed, plies=plies)
        script = script_of(game, seed=seed, has_clock=True)
    return SimulatedCamera(script, seed=seed, pace=NORMAL)


@dataclass(slots=True)
class SimulatedPlayers:
    """Presses the lever of the emulated clock when the players in the film do."""

    board: ControllerBoard
    presses: Sequence[tuple[int, Color]]
    lit: set[int] = field(default_factory=set)
    """Squares that have been lit by now."""
    _next: int = 0

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Press what is due by the time of the frame."""
        while self._next < len(self.presses) and self.presses[self._next][0] <= frame.at_ms:
            self.board.press(SIDES[self.presses[self._next][1]])
            self._next += 1
        self.lit |= self.board.lamps.keys()


def told_steps(record: GameRecord) -> list[str]:
    """Return what was recorded: moves as text, positions that were set as FEN."""
    return [item.move if isinstance(item, PlayedMove) else item.fen for item in record.items]


def true_steps(truth: Truth) -> list[str]:
    """Return what was played, in the same form."""
    game = truth.game
    return [
        to_fen(step.position) if isinstance(step, Setup) else move_text(step, before)
        for before, step in zip(game.positions, game.steps, strict=False)
    ]


def first_difference(record: GameRecord, truth: Truth) -> str | None:
    """Return where the recorded game leaves the played one, None where they are equal."""
    steps = zip_longest(told_steps(record), true_steps(truth))
    for number, (told, played) in enumerate(steps, start=1):
        if told != played:
            return f"step {number}: {played or 'nothing'} was played, {told or 'nothing'} recorded"
    return None


def incident_lines(record: GameRecord, truth: Truth) -> list[str]:
    """Return a line for each irregularity that happened or was flagged, in order of time."""
    lines = [
        (incident.at_ms, f"happened: {incident.broken.clause} {incident.broken.text}")
        for incident in truth.incidents
    ]
    lines += [
        (flag.at_ms, f"flagged:  {flag.clause} {flag.text} ({flag.status})")
        for flag in record.flags
    ]
    return [f"{hms(at_ms)}  {text}" for at_ms, text in sorted(lines)]
