"""Record simulated films from pictures to PDN: `python -m tests.film_bench --games 20`.

Every game has its own board, set, light and camera. Prints a line a game and the share that was
recorded move for move.
"""

import argparse
import time

from damcam.simulation import BLITZ, NORMAL, SimulatedCamera, random_game, script_of
from rules import Move, Variant
from vision import BoardReader, Follower, IrregularityFlagged, MoveSettled, Reading


def film(seed: int, plies: int, *, fps: int, blitz: bool) -> SimulatedCamera:
    """Return the film of a random game."""
    game = random_game(Variant.INTERNATIONAL, seed, plies=plies)
    script = script_of(game, seed=seed)
    return SimulatedCamera(script, seed=seed, fps=fps, pace=BLITZ if blitz else NORMAL)


def recorded(camera: SimulatedCamera) -> tuple[tuple[Move, ...], int, list[int], int]:
    """Return the moves recorded, false flags, delays in ms and the number of frames."""
    reader, follower = BoardReader(), Follower(Variant.INTERNATIONAL)
    flags, frames, delays, last_ms = 0, 0, [], 0
    for frame in camera:
        frames, last_ms = frames + 1, frame.at_ms
        reading: Reading | None = reader.track(frame.bgr, frame.at_ms)
        for event in follower.update(reading) if reading is not None else ():
            if isinstance(event, IrregularityFlagged):
                flags += 1
                print(f"  {event.seen_ms} ms: {event.clause}, {event.text}", flush=True)
            if isinstance(event, MoveSettled):
                delays.append(event.seen_ms - event.at_ms)
    follower.finish(last_ms)
    return tuple(follower.game.moves), flags, delays, frames


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--fps", type=int, default=10)
    parser.add_argument("--blitz", action="store_true", help="about a second a move")
    options = parser.parse_args()
    exact = flags = 0
    for seed in range(options.first, options.first + options.games):
        started = time.process_time()
        camera = film(seed, options.plies, fps=options.fps, blitz=options.blitz)
        moves, false_flags, delays, frames = recorded(camera)
        played = tuple(camera.truth.game.moves)
        same = next(
            (i for i, (a, b) in enumerate(zip(moves, played, strict=False)) if a != b), None
        )
        is_exact = moves == played
        exact, flags = exact + is_exact, flags + false_flags
        delay = sorted(delays)[int(len(delays) * 0.95)] if delays else 0
        cpu_ms = (time.process_time() - started) / frames * 1000
        told = (
            "exact" if is_exact else f"differs at ply {(same or min(len(moves), len(played))) + 1}"
        )
        print(
            f"seed {seed}: {told}, {len(moves)} of {len(played)} plies, {false_flags} flags,"
            f" p95 {delay} ms, {cpu_ms:.1f} ms a frame",
            flush=True,
        )
    print(f"{exact} of {options.games} games exact, {flags} false flags")


if __name__ == "__main__":
    main()
