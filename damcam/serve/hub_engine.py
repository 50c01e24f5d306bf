"""A Hub engine as a process of its own: positions in, thoughts out, and a crash is only a crash.

The Hub protocol is lines of text: `hub` is answered by `wait`, `init` by `ready`, `go` by `info`
lines and one `done`. Words that are not known are passed over.
"""

import asyncio
import math
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from rules import (
    Color,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    legal_moves,
    move_text,
    to_fen,
)

from .evaluation import Evaluation

ANSWER_S: Final = 20.0
"""An engine that reads its books may take this long to be ready."""

NICENESS: Final = 10
"""The recording goes first."""

WORD: Final = re.compile(r'([\w-]+)(?:=(?:"([^"]*)"|(\S*)))?')
LETTERS: Final = {
    None: "e",
    Piece.WHITE_MAN: "w",
    Piece.WHITE_KING: "W",
    Piece.BLACK_MAN: "b",
    Piece.BLACK_KING: "B",
}
MOST_LINE: Final = 12
MOST_NAME: Final = 60
MOST_MEN: Final = 1000.0
MOST_DEPTH: Final = 999


class EngineError(Exception):
    """The engine cannot be started, speaks no Hub or has gone."""


class HubEngine:
    """A running engine."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.name = "engine"

    @classmethod
    async def start(cls, words: Sequence[str]) -> "HubEngine":
        """Start the engine and wait until it is ready.

        Raises:
            EngineError: It cannot be started or does not answer.
        """
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
            )
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
        except OSError as error:
            raise EngineError(f"{words[0]} cannot be started: {error}") from error
        engine = cls(process)
        try:
            async with asyncio.timeout(ANSWER_S):
                await engine._tell("hub")
                await engine._await("wait")
                await engine._tell("init")
                await engine._await("ready")
        except (TimeoutError, EngineError) as error:
            await engine.close()
            raise EngineError(f"{words[0]} does not answer as a Hub engine does") from error
        return engine

    async def think(self, position: Position, seconds: float) -> Evaluation | None:
        """Return the deepest thought about a position after so many seconds; None if there is none.

        Raises:
            EngineError: The engine has gone or hangs.
        """
        try:
            async with asyncio.timeout(seconds + ANSWER_S):
                await self._tell(f"pos pos={hub_position(position)}")
                await self._tell(f"level move-time={seconds}")
                await self._tell("go think")
                newest = await self._newest_info()
        except TimeoutError as error:
            raise EngineError("the engine hangs") from error
        return _thought(position, newest, self.name)

    async def close(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _tell(self, line: str) -> None:
        stdin = self._process.stdin
        try:
            if stdin is not None:
                stdin.write(f"{line}\n".encode())
                await stdin.drain()
        except (ConnectionError, RuntimeError) as error:
            raise EngineError("the engine has gone") from error

    async def _await(self, wanted: str) -> None:
        word = ""
        while word != wanted:
            word, values = await self._line()
            if word == "id" and "name" in values:
                self.name = values["name"][:MOST_NAME]

    async def _newest_info(self) -> dict[str, str]:
        """Return the last thought that can be shown before the engine is done."""
        newest: dict[str, str] = {}
        word = ""
        while word != "done":
            word, values = await self._line()
            if word == "info" and _scored(values) is not None:
                newest = values
        return newest

    async def _line(self) -> tuple[str, dict[str, str]]:
        """Return the first word of a line and the values after it."""
        stdout = self._process.stdout
        try:
            line = b"" if stdout is None else await stdout.readline()
        except ValueError as error:
            raise EngineError("the engine sends a line without end") from error
        if not line:
            raise EngineError("the engine has gone")
        first, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        return first, {found[1]: found[2] or found[3] or "" for found in WORD.finditer(rest)}


def hub_position(position: Position) -> str:
    """Return the position as Hub writes it: the side to move and one letter a square."""
    size = board_size(position.variant)
    squares = (Square(number) for number in range(1, size * size // 2 + 1))
    side = "W" if position.side_to_move is Color.WHITE else "B"
    return side + "".join(LETTERS[position.piece_at(square)] for square in squares)


def can_evaluate(position: Position) -> bool:
    """Tell whether Hub engines know the game and there is something to think about."""
    return position.variant is Variant.INTERNATIONAL and bool(legal_moves(position))


def _scored(values: dict[str, str]) -> tuple[float, int] | None:
    """Return score and depth of a thought; None where there are none that can be shown."""
    try:
        score, depth = float(values["score"]), int(values["depth"])
    except (KeyError, ValueError):
        return None
    can_be_shown = math.isfinite(score) and 0 <= depth <= MOST_DEPTH
    return (max(-MOST_MEN, min(MOST_MEN, score)), depth) if can_be_shown else None


def _thought(position: Position, values: dict[str, str], name: str) -> Evaluation | None:
    scored = _scored(values)
    if scored is None:
        return None
    score, depth = scored
    side = 1.0 if position.side_to_move is Color.WHITE else -1.0
    line = best_line(position, values.get("pv", ""))
    return Evaluation(
        fen=to_fen(position), men=round(side * score, 2), depth=depth, line=line, engine=name
    )


def best_line(position: Position, text: str) -> tuple[str, ...]:
    """Return a line that Hub wrote (`32-28 28x19x23`, the pieces taken last) in PDN."""
    line: list[str] = []
    for word in text.split()[:MOST_LINE]:
        move = _hub_move(position, word)
        if move is None:
            break
        line.append(move_text(move, position))
        position = position.after(move)
    return tuple(line)


def _hub_move(position: Position, word: str) -> Move | None:
    numbers = re.split("[-x]", word)
    if len(numbers) < 2 or not all(one.isascii() and one.isdigit() for one in numbers):
        return None
    start, end, *taken = (int(one) for one in numbers)
    fitting = (
        move
        for move in legal_moves(position)
        if (move.start, move.end, set(move.captured)) == (start, end, set(taken))
    )
    return next(fitting, None)
