"""Figures of the follower on simulated readings: `python -m tests.vision.follower_bench`.

Prints games that are exact, moves told too late, flags in clean games, the curve over the share
of wrong squares, irregularities by clause, readings a second on one core, and what a game of ten
hours takes.
"""

import argparse
import random
import resource
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rules import Color, Game, Move, Variant, legal_moves
from tests.vision.followed import Followed, Played, follow, play
from tests.vision.incidents import Incident
from tests.vision.irregular_games import irregular_game
from tests.vision.irregular_play import KINDS, incident
from tests.vision.kept_results import KeptResults, Result
from tests.vision.reading_simulator import BLITZ, Noise, Pace, Script, film
from vision import (
    DisturbanceNoticed,
    Follower,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

HOUR_MS = 3_600_000
INCIDENT_NOISE = Noise(wrong=0.02)
FALSE = IrregularityFlagged | DisturbanceNoticed | MoveCorrected
"""What nobody should be told in a clean game."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """How a game is played and seen."""

    fps: float
    noise: Noise
    pace: Pace | None = None
    is_main: bool = False
    """Played as often as asked for; the others a tenth as often."""


CASES = {
    "5 % wrong, 5 fps": Case(fps=5, noise=Noise(wrong=0.05), is_main=True),
    "clean, 10 fps": Case(fps=10, noise=Noise(wrong=0.0)),
    "realistic 5 %, 10 fps": Case(fps=10, noise=Noise(wrong=0.05, is_realistic=True)),
    "stuck squares, 5 fps": Case(fps=5, noise=Noise(wrong=0.03, is_realistic=True, sticky=0.003)),
    "2 faulty squares, 10 fps": Case(fps=10, noise=Noise(wrong=0.02, is_realistic=True, stuck=2)),
    "kings misread, 10 fps": Case(
        fps=10, noise=Noise(wrong=0.02, is_realistic=True, misranked=0.6)
    ),
    "blitz, 10 fps": Case(fps=10, noise=Noise(wrong=0.05), pace=BLITZ),
    "3 fps": Case(fps=3, noise=Noise(wrong=0.05)),
}


@dataclass
class Tally:
    """Counts over many games."""

    games: int = 0
    exact: int = 0
    flags: int = 0
    readings: int = 0
    seconds: float = 0.0
    delays_ms: list[int] = field(default_factory=list)
    sure: int = 0
    sure_right: int = 0
    worst: list[int] = field(default_factory=list)
    flagged: list[int] = field(default_factory=list)

    def add(self, seed: int, result: Result) -> None:
        """Count one game."""
        self.games += 1
        self.exact += result["exact"]
        if not result["exact"]:
            self.worst.append(seed)
        if result["flags"]:
            self.flagged.append(seed)
        self.flags += result["flags"]
        self.readings += result["readings"]
        self.seconds += result["seconds"]
        self.delays_ms += result["delays_ms"]
        self.sure += result["sure"]
        self.sure_right += result["sure_right"]

    def line(self) -> str:
        """Return the counts in one line."""
        delays = sorted(self.delays_ms) or [0]
        return (
            f"{self.exact}/{self.games} exact, {self.flags} flags or corrections, "
            f"told after {delays[len(delays) // 2]} ms (p95 {delays[len(delays) * 95 // 100]}), "
            f"sure and right {self.sure_right}/{self.sure}, "
            f"{self.readings / max(self.seconds, 1e-9):.0f} readings a second"
            + (f", not exact: seeds {self.worst[:8]}" if self.worst else "")
            + (f", flags: seeds {self.flagged[:8]}" if self.flagged else "")
        )


def result_of(played: Played) -> Result:
    """Return what following one clean game came to."""
    told = played.followed.events
    sure = [each for each in told if isinstance(each, MoveSettled) and each.confidence >= 0.99]
    return {
        "exact": played.is_exact,
        "flags": sum(isinstance(each, FALSE) for each in told),
        "readings": played.followed.readings,
        "seconds": played.followed.seconds,
        "delays_ms": played.delays_ms,
        "sure": len(sure),
        "sure_right": sum(_is_right(each, played.game.moves) for each in sure),
    }


def _is_right(event: MoveSettled, moves: Sequence[Move]) -> bool:
    """Tell whether the move that was told is the one played at its ply."""
    if event.ply > len(moves):
        return False
    move = moves[event.ply - 1]
    return event.path == move.path and set(event.captured) == set(move.captured)


def games(name: str, seeds: range, case: Case, kept: KeptResults, *, plies: int = 100) -> Tally:
    """Play and follow random games."""
    tally = Tally()
    for seed in seeds:
        tally.add(seed, kept.of(f"{name} {seed}", partial(_followed, seed, case, plies)))
    return tally


def _followed(seed: int, case: Case, plies: int) -> Result:
    return result_of(play(seed, plies=plies, fps=case.fps, noise=case.noise, pace=case.pace))


def report_games(count: int, first: int, kept: KeptResults) -> Iterator[str]:
    """Yield the figures of whole games."""
    for name, case in CASES.items():
        number = count if case.is_main else max(count // 10, 10)
        yield f"{name:24} {games(name, range(first, first + number), case, kept).line()}"


def report_curve(count: int, first: int, kept: KeptResults) -> Iterator[str]:
    """Yield games exact over the share of wrong squares."""
    for percent in (1, 2, 5, 8, 10, 12, 15, 20):
        case = Case(fps=5, noise=Noise(wrong=percent / 100))
        name = f"{percent:3} % wrong"
        tally = games(name, range(first, first + count), case, kept, plies=80)
        yield f"{name:24} {tally.line()}"


def judge_incident(case: Incident, followed: Followed) -> dict[str, bool]:
    """Compare what was told with what happened."""
    flags = [event for event in followed.events if isinstance(event, IrregularityFlagged)]
    named = [event for event in flags if event.clause in case.clauses]
    resolved = [event for event in followed.events if isinstance(event, IrregularityResolved)]
    return {
        "found": bool(flags),
        "clause": bool(named),
        "color": bool(named) and named[0].color is case.color,
        "position": followed.follower.position == case.final,
        "in time": bool(named) and named[0].seen_ms <= case.done_ms + 3000,
        "resolved": bool(resolved) and resolved[0].how == case.how,
        "alone": len({event.clause for event in flags} - set(case.clauses)) == 0,
    }


def report_incidents(count: int, kept: KeptResults) -> Iterator[str]:
    """Yield the figures of each kind of irregularity, `count` films in each color."""
    totals: Counter[str] = Counter()
    for clause in KINDS:
        right: Counter[str] = Counter()
        for color in Color:
            for seed in range(count):
                key = f"{clause} {color.value} {seed}"
                right.update(kept.of(key, partial(_incident_result, clause, color, seed)))
        yield f"{clause:7} of {2 * count}: {_figures(right)}"
        totals += right
    yield f"all     of {2 * count * len(KINDS)}: {_figures(totals)}"


def _incident_result(clause: str, color: Color, seed: int) -> Result:
    case = incident(clause, color, seed)
    followed = follow(case.script, fps=10, noise=INCIDENT_NOISE, seed=seed, start=case.script.start)
    return {key: int(value) for key, value in judge_incident(case, followed).items()}


def _figures(right: Counter[str]) -> str:
    return ", ".join(f"{key} {right[key]}" for key in sorted(right))


def report_irregular_games(count: int, first: int) -> Iterator[str]:
    """Yield how many games full of irregularities ended in the position that was on the board."""
    right = faults = flags = 0
    for seed in range(first, first + count):
        game = irregular_game(seed)
        told = follow(game.script, fps=10, noise=INCIDENT_NOISE, seed=seed, start=game.start)
        is_right = told.follower.position == game.script.position
        right, faults = right + is_right, faults + game.faults
        flags += sum(isinstance(event, IrregularityFlagged) for event in told.events)
        if not is_right:
            yield f"seed {seed}: another position at the end"
    yield f"{right} of {count} right at the end, {faults} faults, {flags} flags"


def report_memory(hours: int) -> Iterator[str]:
    """Yield how much memory a game with long thoughts has taken after each hour of it."""
    rng = random.Random(0)
    game = Game.start(Variant.INTERNATIONAL)
    script = Script(game.position, rng)
    script.wait(2500)
    while script.now_ms < hours * HOUR_MS and game.outcome is None:
        move = rng.choice(legal_moves(game.position))
        game = game.after(move)
        script.move(move)
        script.wait(rng.randint(HOUR_MS // 20, HOUR_MS // 10))
    follower = Follower(Variant.INTERNATIONAL)
    hour = 1
    for reading in film(script, fps=2, noise=INCIDENT_NOISE, seed=0):
        follower.update(reading)
        if reading.at_ms >= hour * HOUR_MS:
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            yield f"{hour:3} h: {peak_mb:.1f} MiB at most, {follower.game.ply} plies"
            hour += 1
    yield f"{'exact' if follower.game.moves == game.moves else 'not exact'}, {game.ply} plies"


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", nargs="*", default=["games", "curve", "incidents", "irregular", "memory"]
    )
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--hours", type=int, default=10, help="length of the game for `memory`")
    parser.add_argument("--keep", type=Path, help="file of results: games in it are not replayed")
    options = parser.parse_args()
    kept = KeptResults(options.keep)
    reports = {
        "games": lambda: report_games(options.games, options.first, kept),
        "curve": lambda: report_curve(max(options.games // 5, 5), options.first, kept),
        "memory": lambda: report_memory(options.hours),
        "irregular": lambda: report_irregular_games(max(options.games // 5, 5), options.first),
        "incidents": lambda: report_incidents(max(options.games // 7, 2), kept),
    }
    for what in options.what:
        for line in reports[what]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
