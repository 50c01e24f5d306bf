"""Speed of legal moves and perft beside two libraries, and agreement with them.

`make bench-rules` runs it in an environment that has dame-rs and py-draughts; without them only
damcam is measured. CPU seconds, the best of some rounds that take the engines in turn. Exits with
1 if damcam is slower than py-draughts or anyone finds other moves.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time

from rules import Position, Variant, decode_pdn, generate_moves, perft, read_pdn
from tests.rules.oracles import (
    ORACLES,
    Board,
    dame_board,
    list_fen,
    plain,
    playout_positions,
    py_draughts_board,
)

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT / os.environ.get("DAMCAM_SHARED", "../shared")
GAMES = "pdn/wiegerw-pdn/games/*/*.pdn"
DEPTH, LINES = 6, 167_140
ROUNDS = 5


@dataclass(kw_only=True)
class Engine:
    """One engine: how it counts moves, and the best times that were seen."""

    name: str
    board_of: Callable[[Position], Board]
    count_moves: Callable[[Board], int]
    perft: Callable[[Board, int], int]
    moves_s: list[float] = field(default_factory=list)
    perft_s: list[float] = field(default_factory=list)


def engines() -> Iterator[Engine]:
    yield Engine(
        name="damcam",
        board_of=lambda position: position,
        count_moves=lambda position: len(generate_moves(position)),
        perft=perft,
    )
    if find_spec("draughts"):
        yield Engine(
            name="py-draughts",
            board_of=lambda position: py_draughts_board(list_fen(position)),
            count_moves=lambda board: len(board.legal_moves),
            perft=perft_by_pushing,
        )
    if find_spec("dame"):
        yield Engine(
            name="dame-rs",
            board_of=lambda position: dame_board(list_fen(position)),
            count_moves=lambda board: len(board.legal_moves),
            perft=import_module("dame").perft,
        )


def perft_by_pushing(board: Board, depth: int) -> int:
    """Count as `rules.perft` does, with a board that is changed and changed back."""
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        board.push(move)
        count += perft_by_pushing(board, depth - 1)
        board.pop()
    return count


def game_positions(wanted: int) -> tuple[str, list[Position]]:
    """Return where they are from, and positions of international games, all different."""
    found: dict[Position, None] = {}
    for path in sorted(SHARED.glob(GAMES)):
        for game in read_pdn(decode_pdn(path.read_bytes())):
            if game.game.variant is Variant.INTERNATIONAL:
                found |= dict.fromkeys(game.game.positions)
    source = "real games"
    if len(found) < wanted:
        source = "random playouts, as there are no games under DAMCAM_SHARED"
        found = dict.fromkeys(playout_positions(2 * wanted))
    positions = list(found)
    return source, [positions[index * len(positions) // wanted] for index in range(wanted)]


def measure(engine: Engine, positions: list[Position]) -> int:
    """Time one round and return the number of moves that were counted."""
    boards = [engine.board_of(position) for position in positions]
    start = process_time()
    moves = sum(engine.count_moves(board) for board in boards)
    engine.moves_s.append(process_time() - start)
    board = engine.board_of(Position.start(Variant.INTERNATIONAL))
    start = process_time()
    lines = engine.perft(board, DEPTH)
    engine.perft_s.append(process_time() - start)
    return moves if lines == LINES else 0


def disagreements(name: str, positions: list[Position]) -> list[str]:
    _, board_of, moves_of = ORACLES[name]
    fens = {list_fen(position): position for position in positions}
    return [fen for fen, position in fens.items() if plain(position) != moves_of(board_of(fen))]


def show_speed(source: str, positions: list[Position]) -> bool:
    """Print the table; tell whether all counted alike and damcam was not the slower one."""
    known = list(engines())
    counted = {measure(engine, positions) for _ in range(ROUNDS) for engine in known}
    print(f"{len(positions)} positions of {source}, best of {ROUNDS} rounds, CPU seconds")
    print(f"{'':<12}{'legal moves':>12}{'a second':>12}{f'perft({DEPTH})':>10}{'lines/s':>12}")
    for engine in known:
        moves_s, perft_s = min(engine.moves_s), min(engine.perft_s)
        print(
            f"{engine.name:<12}{moves_s:>12.3f}{len(positions) / moves_s:>12,.0f}"
            f"{perft_s:>10.3f}{LINES / perft_s:>12,.0f}"
        )
    times = {engine.name: (min(engine.moves_s), min(engine.perft_s)) for engine in known}
    ours, theirs = times["damcam"], times.get("py-draughts", (sys.maxsize, sys.maxsize))
    is_as_fast = ours[0] <= theirs[0] and ours[1] <= theirs[1]
    if "py-draughts" in times:
        print(f"no slower than py-draughts: {'yes' if is_as_fast else 'NO'}")
    print(f"moves counted by each: {', '.join(f'{count:,}' for count in counted)}")
    return is_as_fast and len(counted) == 1 and 0 not in counted


def show_agreement(count: int) -> bool:
    """Print how often each library finds other moves; tell whether none ever does."""
    positions = list(playout_positions(count))
    total = 0
    for name, (module, _, _) in ORACLES.items():
        if find_spec(module) is None:
            print(f"{name}: not installed")
            continue
        wrong = disagreements(name, positions)
        total += len(wrong)
        print(f"{name}: other moves in {len(wrong)} of {len(positions)} playout positions")
        print(*wrong[:5], sep="\n", end="\n" if wrong else "")
    return not total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--compared", type=int, default=20_000)
    options = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores")
    is_fast = show_speed(*game_positions(options.positions))
    agrees = show_agreement(options.compared)
    return 0 if is_fast and agrees else 1


if __name__ == "__main__":
    sys.exit(main())
