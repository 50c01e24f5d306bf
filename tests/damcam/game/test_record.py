"""The fold of the journal: moves, corrections, setups, flags, clocks."""

import pytest

from damcam.game.items import Clocks, Setup
from damcam.game.record import GameRecord, fold
from damcam.journal.events import ClockRead, Entry, Event, RecordingStopped
from damcam.journal.operator_events import EditUndone, MovesEdited, TagsSet
from device import DeviceFound, DeviceLost, LeverPressed
from rules import Color, Position, Variant, legal_moves, move_text, to_fen
from tests.damcam.fakes import flag_of, played, random_moves, settled, started, told
from vision import (
    BoardFound,
    BoardLost,
    GameEnded,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
)

START = Position.start(Variant.INTERNATIONAL)


def entries(*events: Event) -> list[Entry]:
    return [Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1)]


def flagged(fen: str) -> IrregularityFlagged:
    return flag_of(fen, at_ms=9000, seen_ms=9500, move="32-27?", text="no man moves so")


def resolved(flag: int, how: str, fen: str) -> IrregularityResolved:
    return IrregularityResolved(at_ms=9900, seen_ms=9900, flag=flag, how=how, fen=fen)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(5))
def test_clean_game_folds_to_its_moves_and_position(seed: int) -> None:
    moves = random_moves(40, seed=seed)
    record = fold(entries(*told(moves)))
    assert tuple(move.path for move in record.moves) == tuple(move.path for move in moves)
    assert record.variant is Variant.INTERNATIONAL
    assert record.start_fen == to_fen(START)
    assert record.fen == to_fen(played(moves).position)
    assert record.seq == len(moves) + 1


def test_nothing_happened_yet() -> None:
    record = fold([])
    assert record == GameRecord()
    assert record.fen is None


def test_correction_of_an_early_move_brings_later_positions_up_to_date() -> None:
    (first, second), position = random_moves(2, seed=4), START
    other = next(move for move in legal_moves(START) if move != first and move.start != first.start)
    told_events = told((first, second))
    fen = to_fen(position.after(other))
    correction = MoveCorrected(
        at_ms=1000,
        seen_ms=3000,
        ply=1,
        move=move_text(other, START),
        replaces=move_text(first, START),
        fen=fen,
    )
    record = fold(entries(*told_events, correction))
    assert record.moves[0].path == other.path
    assert record.moves[0].fen == fen
    assert record.moves[0].replaced == (move_text(first, START),)
    assert record.fen == to_fen(position.after(other).after(second))


def test_correction_knows_captures_and_crowns() -> None:
    start = Position.from_pieces(
        Variant.INTERNATIONAL, Color.WHITE, dict(Position.start(Variant.INTERNATIONAL).pieces)
    )
    moves = random_moves(30, seed=2, start=start)
    game = played(moves)
    index = next(index for index, move in enumerate(moves) if move.is_capture)
    events = told(moves[: index + 1])
    move, before = moves[index], game.positions[index]
    text, fen = move_text(move, before), to_fen(before.after(move))
    correction = MoveCorrected(
        at_ms=0, seen_ms=0, ply=index + 1, move=text, replaces="1-6", fen=fen
    )
    record = fold(entries(*events, correction))
    assert record.moves[-1].captured == tuple(sorted(move.captured))
    assert record.fen == fen


@pytest.mark.parametrize("how", ["accepted", "decided"])
def test_accepted_irregularity_sets_the_position_up(how: str) -> None:
    moves = random_moves(4, seed=1)
    after = played(moves).position.with_side_to_move(Color.BLACK)
    events = [*told(moves), flagged(to_fen(after)), resolved(6, how, to_fen(after))]
    record = fold(entries(*events))
    assert isinstance(record.items[-1], Setup)
    assert record.fen == to_fen(after)
    assert (record.flags[0].seq, record.flags[0].status, record.flags[0].ply) == (6, how, 4)
    assert record.open_flags == ()


def test_rectified_irregularity_leaves_the_game_as_it_was() -> None:
    moves = random_moves(4, seed=1)
    before = to_fen(played(moves).position)
    record = fold(entries(*told(moves), flagged(before)))
    assert len(record.open_flags) == 1
    record = record.after(Entry(seq=7, event=resolved(6, "rectified", before)))
    assert record.flags[0].status == "rectified"
    assert record.fen == before
    assert not any(isinstance(item, Setup) for item in record.items)


def test_times_belong_to_the_move_they_were_read_after() -> None:
    moves = random_moves(3, seed=1)
    read = ClockRead(
        at_ms=2000, seen_ms=2400, ply=2, white_ms=60_000, black_ms=59_000, running=Color.WHITE
    )
    record = fold(entries(*told(moves), read))
    first, second, third = record.moves
    assert first.clocks is None
    assert third.clocks is None
    assert second.clocks is not None
    assert (second.clocks.white_ms, second.clocks.running) == (60_000, Color.WHITE)


def test_lever_starts_the_other_clock_and_the_end_stops_it() -> None:
    pressed = LeverPressed(at_ms=10, by=Color.WHITE, white_ms=5, black_ms=9)
    record = fold(entries(started(START), pressed))
    assert record.clocks is not None
    assert record.clocks.running is Color.BLACK
    ended = GameEnded(at_ms=20, seen_ms=20, result="2-0", reason="blocked", clause="7.2.2")
    record = record.after(Entry(seq=3, event=ended))
    assert record.clocks is not None
    assert record.clocks.running is None
    assert record.ending is not None
    assert record.ending.result == "2-0"


def test_times_of_an_earlier_press_do_not_turn_the_clocks_back() -> None:
    start, first, second = told(random_moves(2, seed=1))
    presses = [
        LeverPressed(at_ms=1200, by=Color.WHITE, white_ms=100, black_ms=90),
        LeverPressed(at_ms=2200, by=Color.BLACK, white_ms=100, black_ms=80),
    ]
    read = ClockRead(
        at_ms=1200, seen_ms=2500, ply=1, white_ms=100, black_ms=90, running=Color.BLACK
    )
    record = fold(entries(start, *presses, first, second, read))
    assert [move.clocks and move.clocks.black_ms for move in record.moves] == [90, None]
    assert record.clocks is not None
    assert (record.clocks.black_ms, record.clocks.running) == (80, Color.WHITE)


def test_state_of_board_and_devices() -> None:
    found = BoardFound(
        at_ms=0, seen_ms=0, size=10, corners=(), white_side="bottom", placed_correctly=True
    )
    record = fold(
        entries(found, BoardLost(at_ms=1, seen_ms=1), DeviceLost(at_ms=2, device="clock"))
    )
    assert (record.board, record.lost_devices) == ("lost", frozenset({"clock"}))
    record = record.after(Entry(seq=4, event=DeviceFound(at_ms=3, device="clock")))
    record = record.after(Entry(seq=5, event=found))
    stopped = RecordingStopped(at_ms=4, seen_ms=4, reason="stopped")
    record = record.after(Entry(seq=6, event=stopped))
    assert (record.board, record.lost_devices, record.is_stopped) == ("found", frozenset(), True)


def test_resumed_game_goes_on_where_it_was_or_from_what_was_seen() -> None:
    moves = random_moves(4, seed=1)
    position = played(moves).position
    record = fold(entries(*told(moves), started(position)))
    assert (len(record.items), record.start_fen) == (4, to_fen(START))
    (move,) = random_moves(1, seed=9, start=position)
    record = record.after(Entry(seq=9, event=started(position.after(move))))
    assert isinstance(record.items[-1], Setup)
    record = record.after(
        Entry(seq=10, event=settled(position.after(move), legal_moves(position.after(move))[0], 5))
    )
    assert len(record.moves) == 5


def read(ply: int, at_ms: int, running: Color) -> ClockRead:
    return ClockRead(
        at_ms=at_ms, seen_ms=at_ms, ply=ply, white_ms=60_000, black_ms=50_000, running=running
    )


def test_an_edit_has_the_clock_of_the_side_run_that_is_to_move() -> None:
    moves = random_moves(2, seed=1)
    last = fold(entries(*told(moves))).moves[-1].move
    back = MovesEdited(
        at_ms=5000, seen_ms=5000, by="A", at_utc="", why="", ply=2, removes=(last,), inserts=()
    )
    record = fold(entries(*told(moves), read(2, 2000, Color.WHITE), back))
    assert record.clocks == Clocks(
        at_ms=5000, white_ms=57_000, black_ms=50_000, running=Color.BLACK
    )
    undo = EditUndone(at_ms=6000, seen_ms=6000, by="A", at_utc="", why="", edit=record.seq)
    again = record.after(Entry(seq=record.seq + 1, event=undo))
    assert again.clocks == Clocks(at_ms=6000, white_ms=57_000, black_ms=49_000, running=Color.WHITE)


def test_an_edit_that_leaves_the_turn_leaves_the_clocks() -> None:
    moves = random_moves(2, seed=1)
    named = TagsSet(at_ms=5000, seen_ms=5000, by="A", at_utc="", why="", tags=(("White", "B"),))
    record = fold(entries(*told(moves), read(2, 2000, Color.WHITE)))
    assert record.after(Entry(seq=record.seq + 1, event=named)).clocks == record.clocks
