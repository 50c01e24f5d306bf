"""Lever and camera, two witnesses of one move: every move is pressed, every press follows a move.

A press and the move that it completes are brought together by player and time, in whichever order
they are told: presses come at once, moves when the camera is sure. Where one witness stays alone
for too long that is told; nothing is told of a witness that could not see or hear.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from device import DeviceFound, DeviceLost, LeverPressed
from device.clock import ClockTimes
from rules import Color
from vision import (
    BoardFound,
    BoardLost,
    DisturbanceNoticed,
    DisturbanceRestored,
    GameEnded,
    GameStarted,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

from ..game.record import GameRecord
from ..journal.events import ClockRead, Difference, Entry, Event, WitnessesDiffered

CLOCK: Final = "clock"

SLACK_MS: Final = 1500
"""A move can be dated so much after the press that completed it."""

PRESS_ALONE_MS: Final = 10_000
"""Within this time the camera is sure of nearly every move."""

MOVE_ALONE_MS: Final = 30_000
"""A player who forgot to press is not helped at once; the opponent may notice first (1.6)."""

ANSWERED_ALONE_MS: Final = 5_000
"""The same once the opponent answered: presses of a clock come late by a second or two."""

Told = ClockRead | WitnessesDiffered


@dataclass(slots=True, kw_only=True)
class _Move:
    """A settled move that nobody pressed for yet."""

    ply: int
    color: Color
    at_ms: int
    seen_ms: int
    shown: ClockTimes
    is_told: bool = False


@dataclass(slots=True, kw_only=True)
class _Press:
    """A press that no move explains yet."""

    event: LeverPressed
    is_told: bool = False


class Witnesses:
    """Brings presses and moves together; times of the clock are told with the ply they end."""

    def __init__(self, record: GameRecord) -> None:
        """Go on with a game, or begin one.

        Args:
            record: The game up to now.
        """
        self._turn = _side_to_move(record.fen)
        self._moves: list[_Move] = []
        self._presses: list[_Press] = []
        self._last: LeverPressed | None = None
        self._is_running = bool(record.moves)
        self._offenders: dict[int, Color] = {flag.seq: flag.color for flag in record.open_flags}
        self._is_blind = record.board in ("lost", "disturbed")
        self._is_deaf = CLOCK in record.lost_devices
        self._since_ms = 0
        """When both witnesses were last there again."""

    def note(self, entry: Entry, shown: ClockTimes) -> tuple[Told, ...]:
        """Take an event of the journal; return what it lets be told.

        Args:
            entry: The event.
            shown: What the clock shows at its time.
        """
        return tuple(self._note(entry, shown))

    def _note(self, entry: Entry, shown: ClockTimes) -> Iterator[Told]:
        match entry.event:
            case LeverPressed() as pressed:
                yield from self._pressed(pressed)
            case MoveSettled() as settled:
                yield from self._settled(settled, shown)
            case MoveCorrected() as corrected:
                self._corrected(corrected, shown)
            case GameStarted(fen=fen):
                self._turn = _side_to_move(fen)
            case IrregularityFlagged(color=color, at_ms=at_ms):
                self._offenders[entry.seq] = color
                self._excuse(color, at_ms)
            case IrregularityResolved(flag=flag, fen=fen):
                self._offenders.pop(flag, None)
                self._turn = _side_to_move(fen)
            case GameEnded():
                yield from self.finish()
            case other:
                self._presence(other)

    def waited(self, at_ms: int) -> tuple[Told, ...]:
        """Return what is told because time went by."""
        if self._is_blind or self._is_deaf:
            self._since_ms = at_ms
            return ()
        return (*self._lone_presses(at_ms), *self._lone_moves(at_ms))

    def finish(self) -> tuple[ClockRead, ...]:
        """Return the times of the moves that were not pressed; a last move need not be."""
        moves, self._moves, self._presses = self._moves, [], []
        return tuple(_shown_at(move) for move in moves if not move.is_told)

    def _pressed(self, pressed: LeverPressed) -> Iterator[Told]:
        before, self._last = self._last, pressed
        is_first, self._is_running = not self._is_running, True
        fitting = [
            move
            for move in self._moves
            if move.color is pressed.by and move.at_ms <= pressed.at_ms + SLACK_MS
        ]
        if fitting:
            yield from self._matched(fitting[-1], pressed)
        elif is_first and pressed.by is not (self._turn or Color.WHITE):
            return  # White's time is started by Black, before any move.
        elif pressed.by in self._offenders.values():
            return
        elif self._is_pressed_back(before, pressed):
            self._presses.clear()
        elif self._turn is not None and pressed.by is not self._expected():
            text = f"{_name(pressed.by)} pressed the clock in the opponent's turn"
            yield _differed(pressed, "wrong player's press", text)
        else:
            self._presses.append(_Press(event=pressed))

    def _expected(self) -> Color | None:
        """Return whose press is next if every press that waits is right."""
        if self._presses and not self._presses[-1].is_told:
            return self._presses[-1].event.by.other
        return self._turn

    def _is_pressed_back(self, before: LeverPressed | None, pressed: LeverPressed) -> bool:
        """Tell whether a press undoes the one before, which followed no regular move."""
        if before is None or before.by is not pressed.by.other:
            return False
        if before.by in self._offenders.values():
            return True
        is_alone = bool(self._presses) and self._presses[-1].event is before
        return is_alone and self._presses[-1].is_told

    def _settled(self, settled: MoveSettled, shown: ClockTimes) -> Iterator[Told]:
        self._turn = settled.color.other
        self._is_running = True
        move = _Move(
            ply=settled.ply,
            color=settled.color,
            at_ms=settled.at_ms,
            seen_ms=settled.seen_ms,
            shown=shown,
        )
        self._moves.append(move)
        for index, press in enumerate(self._presses):
            is_after = settled.at_ms <= press.event.at_ms + SLACK_MS
            if press.event.by is settled.color and is_after:
                passed = self._presses[:index]
                del self._presses[: index + 1]
                for lone in passed:
                    yield from self._told_press(lone)
                yield from self._matched(move, press.event)
                return
        if self._last is not None and self._last.by is settled.color:
            # The lever is down already: the opponent forgot it, or an irregular move was put right.
            move.is_told = True
            yield _shown_at(move)

    def _corrected(self, corrected: MoveCorrected, shown: ClockTimes) -> None:
        """Await the press of a move that was made instead of one that had been pressed."""
        self._turn = side = _side_to_move(corrected.fen) or self._turn
        if side is None or any(move.ply == corrected.ply for move in self._moves):
            return
        self._moves.append(
            _Move(
                ply=corrected.ply,
                color=side.other,
                at_ms=corrected.at_ms,
                seen_ms=corrected.seen_ms,
                shown=shown,
                is_told=True,
            )
        )

    def _matched(self, move: _Move, pressed: LeverPressed) -> Iterator[Told]:
        """Give a move the times of its press; what lay before it was not pressed."""
        index = self._moves.index(move)
        passed = self._moves[:index]
        del self._moves[: index + 1]
        for lone in passed:
            yield from self._told_move(lone)
        yield ClockRead(
            at_ms=pressed.at_ms,
            seen_ms=max(pressed.at_ms, move.seen_ms),
            ply=move.ply,
            white_ms=pressed.white_ms,
            black_ms=pressed.black_ms,
            running=pressed.by.other,
        )

    def _excuse(self, color: Color, at_ms: int) -> None:
        """Let a press be the one that completed an irregular move."""
        self._presses = [
            press
            for press in self._presses
            if press.event.by is not color or press.event.at_ms < at_ms - SLACK_MS
        ]

    def _lone_presses(self, at_ms: int) -> Iterator[Told]:
        """Tell the oldest press; one behind it only put the lever back."""
        if not self._presses:
            return
        oldest = self._presses[0]
        if at_ms - max(oldest.event.at_ms, self._since_ms) >= PRESS_ALONE_MS:
            yield from self._told_press(oldest)
            if len(self._presses) > 1:
                self._presses.clear()

    def _lone_moves(self, at_ms: int) -> Iterator[Told]:
        for index, move in enumerate(self._moves):
            is_answered = index + 1 < len(self._moves)
            alone_ms = at_ms - max(move.seen_ms, self._since_ms)
            if alone_ms >= (ANSWERED_ALONE_MS if is_answered else MOVE_ALONE_MS):
                yield from self._told_move(move)

    def _told_press(self, press: _Press) -> Iterator[Told]:
        if press.is_told:
            return
        press.is_told = True
        text = f"{_name(press.event.by)} pressed the clock, but made no move"
        yield _differed(press.event, "press without a move", text)

    def _told_move(self, move: _Move) -> Iterator[Told]:
        if move.is_told:
            return
        move.is_told = True
        yield _shown_at(move)
        yield WitnessesDiffered(
            at_ms=move.at_ms,
            seen_ms=move.seen_ms,
            kind="move without a press",
            color=move.color,
            ply=move.ply,
            text=f"{_name(move.color)} moved, but did not press the clock",
        )

    def _presence(self, event: Event) -> None:
        match event:
            case BoardLost() | DisturbanceNoticed():
                self._is_blind = True
            case BoardFound() | DisturbanceRestored():
                self._is_blind = False
            case DeviceLost(device=device) if device == CLOCK:
                self._is_deaf = True
            case DeviceFound(device=device) if device == CLOCK:
                self._is_deaf = False
            case _:
                pass


def _side_to_move(fen: str | None) -> Color | None:
    """Return the side a FEN names, None for none."""
    return {"W": Color.WHITE, "B": Color.BLACK}.get((fen or "?")[0])


def _name(color: Color) -> str:
    return color.name.capitalize()


def _differed(pressed: LeverPressed, kind: Difference, text: str) -> WitnessesDiffered:
    return WitnessesDiffered(
        at_ms=pressed.at_ms, seen_ms=pressed.at_ms, kind=kind, color=pressed.by, ply=None, text=text
    )


def _shown_at(move: _Move) -> ClockRead:
    return ClockRead(
        at_ms=move.at_ms,
        seen_ms=move.seen_ms,
        ply=move.ply,
        white_ms=move.shown.white_ms,
        black_ms=move.shown.black_ms,
        running=move.shown.running,
    )
