"""What a photoreal film shows, step by step, as `models.scenes.blender_film` reads it."""

from collections.abc import Iterator
from typing import Any

from rules import Color, Game, Move, board_size, row_column
from tests.vision.reading_simulator import Act, Script, state_of
from vision import SquareState

FRAME_MS = 100
STILL_FRAMES = 9
HAND_FRAMES = 3
LETTERS = ".wWbB"
REACHING, CARRYING, PUTTING = 0.3, 0.7, 0.1
"""Heights of a hand's fingers above the men, in squares."""
Step = dict[str, Any]


def plan_of_game(game: Game) -> dict[str, Any]:
    """Return the plan of a game that is played properly."""
    steps = [_step(game.positions[0].grid(), [], 2 * STILL_FRAMES)]
    for ply, move in enumerate(game.moves):
        steps += _steps_of_move(game, ply, move)
    variant = game.positions[0].variant
    return {"size": board_size(variant), "moves": game_moves(game), "steps": steps}


def game_moves(game: Game) -> list[str]:
    """Return the moves as a plan names them."""
    return [f"{move.start}-{move.end}" + "x" * len(move.captured) for move in game.moves]


def _steps_of_move(game: Game, ply: int, move: Move) -> Iterator[Step]:
    before, after = game.positions[ply], game.positions[ply + 1]
    is_white = before.side_to_move.name == "WHITE"
    start, end = (row_column(before.variant, square) for square in (move.start, move.end))
    grid = [list(row) for row in before.grid()]
    letter = grid[start[0]][start[1]]

    def hand(at: tuple[int, int], held: str | None, height: float) -> Step:
        return _hand(at, held, height, is_white=is_white)

    yield _step(before.grid(), [hand(start, None, REACHING)], HAND_FRAMES)
    grid[start[0]][start[1]] = "."
    middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    yield _step(_rows(grid), [hand(middle, letter, CARRYING)], HAND_FRAMES)
    grid[end[0]][end[1]] = letter
    yield _step(_rows(grid), [hand(end, None, PUTTING)], HAND_FRAMES)
    for square in sorted(move.captured):
        row, column = row_column(before.variant, square)
        man = grid[row][column]
        grid[row][column] = "."
        yield _step(_rows(grid), [hand((row, column), man, CARRYING)], HAND_FRAMES)
    yield _step(after.grid(), [], STILL_FRAMES)


def plan_of_script(script: Script) -> dict[str, Any]:
    """Return the plan of what hands do in a script: whoever takes a man up holds it over the board.

    An act shorter than a frame is shown where a frame falls into it, as by a camera.
    """
    size, held = script.size, dict.fromkeys(Color, ".")
    grid = [["."] * size for _ in range(size)]
    for square, piece in script.start.pieces.items():
        row, column = divmod(script.place(square), size)
        grid[row][column] = LETTERS[state_of(piece)]
    steps: list[Step] = []
    ends_ms = 0
    for act in script.acts:
        puts = set()
        for place, state in act.changes:
            row, column = divmod(place, size)
            color = next((color for color, over in act.hands if over == place), None)
            if color is not None and state is SquareState.EMPTY:
                held[color] = grid[row][column]
            elif color is not None:
                held[color] = "."
                puts.add(place)
            grid[row][column] = LETTERS[state]
        ends_ms += act.duration_ms
        frames = -(-ends_ms // FRAME_MS) - sum(step["frames"] for step in steps)
        if frames > 0:
            steps.append(_step(_rows(grid), _hands(act, held, puts, size), frames))
        for color in {*Color} - {color for color, _ in act.hands}:
            held[color] = "."
    return {"size": size, "steps": steps}


def _hands(act: Act, held: dict[Color, str], puts: set[int], size: int) -> list[Step]:
    """Return the hands of an act: low where they put something, high where they carry."""
    shown = []
    for color, place in act.hands:
        letter = held[color] if held[color] != "." else None
        takes = any(at == place for at, _ in act.changes)
        height = PUTTING if place in puts else CARRYING if letter else REACHING
        holds = letter if takes or len(act.hands) == 1 else None
        shown.append(_hand(divmod(place, size), holds, height, is_white=color is Color.WHITE))
    return shown


def _hand(at: tuple[int, int], held: str | None, height: float, *, is_white: bool) -> Step:
    row, column = at
    man = held.lower() if held else None
    return {"row": row, "column": column, "holds": man, "height": height, "is_white": is_white}


def _rows(grid: list[list[str]]) -> tuple[str, ...]:
    return tuple("".join(row) for row in grid)


def _step(grid: tuple[str, ...], hands: list[Step], frames: int) -> Step:
    return {"grid": list(grid), "hands": hands, "frames": frames}
