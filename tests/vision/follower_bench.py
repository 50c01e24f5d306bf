"""Figures of the follower on simulated readings: `python -m tests.vision.follower_bench`.

Prints games that are exact, moves told too late, flags in clean games, the curve over the share
of wrong squares, irregularities by clause, readings a second on one core, and with `memory` what
a game of ten hours takes.
"""

import argparse
import random
import resource
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import Color, Game, Variant, legal_moves
from tests.vision.followed import Followed, Played, follow, play
from tests.vision.irregular_play import KINDS, Incident, incident
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

    def add(self, seed: int, played: Played) -> None:
        """Count one game."""
        self.games += 1
        self.exact += played.is_exact
        if not played.is_exact:
            self.worst.append(seed)
        self.readings += played.followed.readings
        self.seconds += played.followed.seconds
        self.delays_ms += played.delays_ms
        for event in played.followed.events:
            if isinstance(event, IrregularityFlagged | DisturbanceNoticed | MoveCorrected):
                self.flags += 1
            if isinstance(event, MoveSettled) and event.confidence >= 0.99:
                self.sure += 1
                moves = played.game.moves
                self.sure_right += event.ply <= len(moves) and (
                    moves[event.ply - 1].path[-1] == event.path[-1]
                    and moves[event.ply - 1].path[0] == event.path[0]
                )

    def line(self) -> str:
        """Return the counts in one line."""
        delays = sorted(self.delays_ms) or [0]
        return (
            f"{self.exact}/{self.games} exact, {self.flags} flags or corrections, "
            f"told after {delays[len(delays) // 2]} ms (p95 {delays[len(delays) * 95 // 100]}), "
            f"sure and right {self.sure_right}/{self.sure}, "
            f"{self.readings / max(self.seconds, 1e-9):.0f} readings a second"
            + (f", not exact: seeds {self.worst[:8]}" if self.worst else "")
        )


def games(
    count: int, first: int, *, plies: int, fps: float, noise: Noise, pace: Pace | None = None
) -> Tally:
    """Play and follow random games."""
    tally = Tally()
    for seed in range(first, first + count):
        tally.add(seed, play(seed, plies=plies, fps=fps, noise=noise, pace=pace))
    return tally


def report_games(count: int, first: int) -> Iterator[str]:
    """Yield the figures of whole games."""
    cases: dict[str, tuple[float, Noise, Pace | None]] = {
        "5 % wrong, 5 fps": (5, Noise(wrong=0.05), None),
        "clean, 10 fps": (10, Noise(wrong=0.0), None),
        "realistic 5 %, 10 fps": (10, Noise(wrong=0.05, is_realistic=True), None),
        "stuck squares, 5 fps": (5, Noise(wrong=0.03, is_realistic=True, sticky=0.003), None),
        "2 faulty squares, 10 fps": (10, Noise(wrong=0.02, is_realistic=True, stuck=2), None),
        "kings misread, 10 fps": (10, Noise(wrong=0.02, is_realistic=True, misranked=0.6), None),
        "blitz, 10 fps": (10, Noise(wrong=0.05), BLITZ),
        "3 fps": (3, Noise(wrong=0.05), None),
    }
    for name, (fps, noise, pace) in cases.items():
        number = count if name.startswith("5 %") else max(count // 10, 10)
        tally = games(number, first, plies=100, fps=fps, noise=noise, pace=pace)
        yield f"{name:24} {tally.line()}"


def report_curve(count: int, first: int) -> Iterator[str]:
    """Yield games exact over the share of wrong squares."""
    for percent in (1, 2, 5, 8, 10, 12, 15, 20):
        tally = games(count, first, plies=80, fps=5, noise=Noise(wrong=percent / 100))
        yield f"{percent:3} % wrong               {tally.line()}"


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


def report_incidents(count: int) -> Iterator[str]:
    """Yield the figures of each kind of irregularity, `count` films in each color."""
    for clause in KINDS:
        right: Counter[str] = Counter()
        for color in Color:
            for seed in range(count):
                case = incident(clause, color, seed)
                followed = follow(
                    case.script, fps=10, noise=INCIDENT_NOISE, seed=seed, start=case.script.start
                )
                right.update(key for key, value in judge_incident(case, followed).items() if value)
        figures = ", ".join(f"{key} {right[key]}" for key in sorted(right))
        yield f"{clause:7} of {2 * count}: {figures}"


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
    parser.add_argument("what", nargs="*", default=["games", "curve", "incidents"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--hours", type=int, default=10, help="length of the game for `memory`")
    options = parser.parse_args()
    reports = {
        "games": lambda: report_games(options.games, options.first),
        "curve": lambda: report_curve(max(options.games // 5, 5), options.first),
        "memory": lambda: report_memory(options.hours),
        "incidents": lambda: report_incidents(max(options.games // 7, 2)),
    }
    for what in options.what:
        for line in reports[what]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
