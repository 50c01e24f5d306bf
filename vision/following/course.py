"""What has been told so far: the game as recorded, and the events that told it."""

from typing import Final

from rules import Color, Game, Move, move_text, to_fen

from ..events import (
    BoardEvent,
    GameEnded,
    GameStarted,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)
from .hypotheses import Irregularity, Line, Rectification

_UNKNOWN: Final = "*"
"""The PDN result of a game whose result nobody told."""


class Course:
    """The recorded game; every change returns the events that tell it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.line: Line = ()
        """The steps told, since the beam began."""
        self.moved_ms = 0
        """When the last move was made."""
        self.is_started = False
        self.is_ended = False
        self._texts: list[str] = []
        self._retracted: dict[int, str] = {}
        self._open: dict[int, Color] = {}
        self._before: dict[int, Game] = {}

    def start(self, game: Game, at_ms: int, seen_ms: int) -> list[BoardEvent]:
        """Begin the record."""
        self.game = game
        self.is_started = True
        return [
            GameStarted(
                at_ms=at_ms,
                seen_ms=seen_ms,
                variant=game.variant.value,
                fen=to_fen(game.position),
            )
        ]

    def settle(
        self, move: Move, *, at_ms: int, seen_ms: int, confidence: float
    ) -> list[BoardEvent]:
        """Record the next move; it accepts what the opponent did irregularly before (5.7)."""
        before = self.game
        color = before.position.side_to_move
        events: list[BoardEvent] = []
        for number in [each for each, offender in self._open.items() if offender is not color]:
            events.append(self._resolved(number, "accepted", at_ms, seen_ms))
        self.game = before.after(move)
        self.line = (*self.line, move)
        self.moved_ms = at_ms
        events.append(
            self._told(
                before, move, self.game.ply, at_ms=at_ms, seen_ms=seen_ms, confidence=confidence
            )
        )
        return events

    def has_turn(self, move: Move) -> bool:
        """Tell whether the player whose piece moves is the one to move."""
        piece = self.game.position.piece_at(move.start)
        return piece is not None and piece.color is self.game.position.side_to_move

    def pass_turn(self, at_ms: int, seen_ms: int) -> list[BoardEvent]:
        """Record that the other player goes on: what happened was done in place of a move."""
        position = self.game.position
        self.game = self.game.set_up(position.with_side_to_move(position.side_to_move.other))
        return [
            self._resolved(number, "accepted", at_ms, seen_ms) for number in self.open_board_flags
        ]

    def interrupt(self, number: int, irregularity: Irregularity) -> None:
        """Record that the board stands irregularly, told by the flag of that number."""
        self._before[number] = self.game
        self._open[number] = irregularity.offender
        if irregularity.takes_back:
            self._retract(irregularity.game.ply)
        self.game = irregularity.game
        self.line = (*self.line, irregularity)

    def note_flag(self, number: int, offender: Color) -> None:
        """Record an irregularity that leaves the board as the game says."""
        self._open[number] = offender

    @property
    def open_board_flags(self) -> tuple[int, ...]:
        """The open irregularities that changed the board, oldest first."""
        return tuple(number for number in self._open if number in self._before)

    def before(self, number: int) -> Game:
        """Return the game as it stood before a flag that changed the board."""
        return self._before[number]

    def rectify(self, step: Rectification, at_ms: int, seen_ms: int) -> list[BoardEvent]:
        """Record that the position before an irregularity stands again."""
        self.game = step.game
        self.line = (*self.line, step)
        self._retract(self.game.ply)
        for ply in range(len(self._texts), self.game.ply):
            self._texts.append(self._retracted.pop(ply + 1))
        undone = [each for each in self._open if each >= step.number]
        return [self._resolved(each, "rectified", at_ms, seen_ms) for each in undone]

    def _retract(self, ply: int) -> None:
        """Remember the moves after a ply as told but no longer played."""
        for later in range(ply, len(self._texts)):
            self._retracted[later + 1] = self._texts[later]
        del self._texts[ply:]

    def revise(
        self, game: Game, line: Line, *, at_ms: int, seen_ms: int, confidence: float
    ) -> list[BoardEvent]:
        """Record that the past was another one; `game` and `line` replace what was told."""
        self._retract(game.ply)
        self.game, self.line = game, line
        events = []
        moves = 0
        before = Game.start(game.initial, profile=game.profile)
        for index, step in enumerate(game.steps):
            if not isinstance(step, Move):
                continue
            moves += 1
            if moves <= len(self._texts):
                text = move_text(step, game.positions[index])
                if text == self._texts[moves - 1]:
                    continue
            before = Game.start(game.positions[index], profile=game.profile)
            events.append(
                self._told(before, step, moves, at_ms=at_ms, seen_ms=seen_ms, confidence=confidence)
            )
        return events

    def _told(
        self,
        before: Game,
        move: Move,
        ply: int,
        *,
        at_ms: int,
        seen_ms: int,
        confidence: float,
    ) -> BoardEvent:
        """Return the event of one move: settled, or corrected where another was told."""
        text = move_text(move, before.position)
        fen = to_fen(before.position.after(move))
        replaces = self._retracted.pop(ply, None)
        if ply <= len(self._texts):
            replaces = self._texts[ply - 1]
            self._texts[ply - 1] = text
        else:
            self._texts.append(text)
        if replaces is not None:
            return MoveCorrected(
                at_ms=at_ms, seen_ms=seen_ms, ply=ply, move=text, replaces=replaces, fen=fen
            )
        return MoveSettled(
            at_ms=at_ms,
            seen_ms=seen_ms,
            ply=ply,
            color=before.position.side_to_move,
            move=text,
            path=move.path,
            captured=tuple(sorted(move.captured)),
            crowned=move.crowns,
            fen=fen,
            confidence=confidence,
        )

    def _resolved(self, number: int, how: str, at_ms: int, seen_ms: int) -> BoardEvent:
        del self._open[number]
        self._before.pop(number, None)
        return IrregularityResolved(
            at_ms=at_ms,
            seen_ms=seen_ms,
            flag=number,
            how="rectified" if how == "rectified" else "accepted",
            fen=to_fen(self.game.position),
        )

    def end(self, at_ms: int, seen_ms: int) -> list[BoardEvent]:
        """Record the result by board and draw rules."""
        outcome = self.game.outcome
        if outcome is None:
            return []
        self.is_ended = True
        return [
            GameEnded(
                at_ms=at_ms,
                seen_ms=seen_ms,
                result=outcome.result,
                reason=outcome.reason.value,
                clause=outcome.clause,
            )
        ]

    def break_off(self, reason: str, at_ms: int, seen_ms: int) -> list[BoardEvent]:
        """Record that the players ended the game; its result is not seen on the board."""
        self.is_ended = True
        return [GameEnded(at_ms=at_ms, seen_ms=seen_ms, result=_UNKNOWN, reason=reason, clause="")]

    def forget(self, count: int) -> Line:
        """Let the line begin `count` steps later; return the steps that were forgotten."""
        forgotten = self.line[:count]
        self.line = self.line[count:]
        return forgotten
