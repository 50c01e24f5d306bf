"""Play scripts before the follower and compare what it tells with what was played."""

import random
import time
from dataclasses import dataclass

from rules import Game, Position, Variant, legal_moves
from tests.vision.reading_simulator import Noise, Pace, Script, film
from vision import BoardEvent, Follower, MoveSettled


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What the follower made of a film."""

    follower: Follower
    events: tuple[BoardEvent, ...]
    readings: int
    seconds: float
    """Processor time inside the follower."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game as it was played and as it was followed."""

    game: Game
    released_ms: tuple[int, ...]
    """When the hand was gone after each move."""
    followed: Followed

    @property
    def is_exact(self) -> bool:
        """Tell whether every move was recorded as it was played, and nothing else told."""
        return self.followed.follower.game.moves == self.game.moves

    @property
    def delays_ms(self) -> list[int]:
        """Return the time from the release of each piece to its event."""
        told = {
            event.ply: event.seen_ms
            for event in self.followed.events
            if isinstance(event, MoveSettled)
        }
        return [
            told[ply] - released for ply, released in enumerate(self.released_ms, 1) if ply in told
        ]


def follow(
    script: Script,
    *,
    fps: float,
    noise: Noise,
    seed: int,
    start: Position | None = None,
    follower: Follower | None = None,
) -> Followed:
    """Let a follower see the film of a script."""
    follower = follower or Follower(script.start.variant, start=start)
    events: list[BoardEvent] = []
    readings, seconds = 0, 0.0
    for reading in film(script, fps=fps, noise=noise, seed=seed):
        begun = time.process_time()
        events += follower.update(reading)
        seconds += time.process_time() - begun
        readings += 1
    events += follower.finish(script.now_ms)
    return Followed(follower=follower, events=tuple(events), readings=readings, seconds=seconds)


def play(
    seed: int,
    *,
    plies: int,
    fps: float,
    noise: Noise,
    pace: Pace | None = None,
    variant: Variant = Variant.INTERNATIONAL,
) -> Played:
    """Play a random game before a noisy reader and follow it."""
    rng = random.Random(seed)
    game = Game.start(variant)
    script = Script(game.position, rng, pace or Pace())
    script.wait(2500)
    released = []
    while game.outcome is None and game.ply < plies:
        move = rng.choice(legal_moves(game.position))
        game = game.after(move)
        released.append(script.move(move))
        script.wait()
    script.wait(1500)
    followed = follow(script, fps=fps, noise=noise, seed=seed)
    return Played(game=game, released_ms=tuple(released), followed=followed)
