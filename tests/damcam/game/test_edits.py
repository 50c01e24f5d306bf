"""What an operator changes: each edit is an event, the rest of the game stays right, undo works."""

import pytest

from damcam.game.items import PlayedMove, Setup
from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord, fold
from damcam.journal.events import Entry, Event
from damcam.journal.operator_events import (
    EditUndone,
    FlagDecided,
    MovesEdited,
    OperatorEvent,
    PositionSet,
    ResultSet,
    TagsSet,
)
from rules import Position, Variant, legal_moves, move_text, parse_fen, read_pdn, to_fen
from tests.damcam.fakes import flag_of, played, random_moves, settled, told
from vision import GameEnded

WHO = {"at_ms": 0, "seen_ms": 0, "by": "Anna", "at_utc": "2026-11-29T12:00:00", "why": "seen"}
MOVES = random_moves(9, seed=4)


def record_of(*events: Event) -> GameRecord:
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


def moves_edited(ply: int, removes: tuple[str, ...], inserts: tuple[str, ...]) -> MovesEdited:
    return MovesEdited(**WHO, ply=ply, removes=removes, inserts=inserts)  # type: ignore[arg-type]


def undone(seq: int) -> EditUndone:
    return EditUndone(**WHO, edit=seq)  # type: ignore[arg-type]


def texts(record: GameRecord) -> list[str]:
    return [move.move for move in record.moves]


def assert_is_legal(record: GameRecord) -> None:
    """Every move is legal where it stands, the plies count, and the PDN replays."""
    fen = record.start_fen
    for item in record.items:
        if isinstance(item, PlayedMove):
            position = parse_fen(fen or "", Variant.INTERNATIONAL)
            names = {move_text(move, position): move for move in legal_moves(position)}
            assert item.fen == to_fen(position.after(names[item.move]))
        fen = item.fen
    assert [move.ply for move in record.moves] == list(range(1, len(record.moves) + 1))
    (game,) = read_pdn(record_pdn(record, {}))
    assert not game.faults


def test_moves_are_taken_back_and_come_back() -> None:
    events = told(MOVES)
    before = record_of(*events)
    last = tuple(texts(before)[-3:])
    record = record_of(*events, moves_edited(7, last, ()))
    assert texts(record) == texts(before)[:-3]
    assert record.fen == record.moves[-1].fen
    again = record_of(*events, moves_edited(7, last, ()), undone(11))
    assert again.items == before.items
    assert again.edits[0].is_undone


@pytest.mark.parametrize("ply", range(1, 10))
def test_a_move_is_replaced_and_the_rest_stays_right(ply: int) -> None:
    events = told(MOVES)
    before = record_of(*events)
    position = played(MOVES[: ply - 1]).position
    old = texts(before)[ply - 1]
    for move in legal_moves(position):
        new = move_text(move, position)
        if new == old:
            continue
        record = record_of(*events, moves_edited(ply, (old,), (new,)))
        assert record.moves[ply - 1].replaced == (old,)
        assert record.moves[ply - 1].at_ms == before.moves[ply - 1].at_ms
        assert_is_legal(record)
        if ply < 9:
            assert record.fen == before.fen or not any(
                isinstance(item, Setup) for item in record.items
            )


def test_missing_moves_are_inserted() -> None:
    events = told(MOVES)
    position = played(MOVES[:4]).position
    later = played(MOVES[:6]).position
    missing = [event for event in events if getattr(event, "ply", 0) not in (5, 6)]
    pair = (
        move_text(MOVES[4], position),
        move_text(MOVES[5], position.after(MOVES[4])),
    )
    record = record_of(*missing, moves_edited(5, (), pair))
    assert texts(record) == texts(record_of(*events))
    assert record.fen == to_fen(played(MOVES).position)
    assert later.side_to_move is position.side_to_move
    assert_is_legal(record)


@pytest.mark.parametrize(
    ("ply", "removes", "inserts"),
    [(3, ("1-2",), ()), (9, (), ("50-1",)), (0, (), ()), (12, (), ()), (10, ("32-28",), ())],
)
def test_an_edit_that_does_not_fit_changes_nothing(
    ply: int, removes: tuple[str, ...], inserts: tuple[str, ...]
) -> None:
    before = record_of(*told(MOVES))
    record = record_of(*told(MOVES), moves_edited(ply, removes, inserts))
    assert record.items == before.items


def test_a_move_that_came_after_an_undone_edit_stays() -> None:
    position = Position.start(Variant.INTERNATIONAL)
    events: list[Event] = list(told(MOVES[:2]))
    setup = PositionSet(**WHO, fen=to_fen(position))  # type: ignore[arg-type]
    record = record_of(*events, setup, settled(position, MOVES[0], 1), undone(4))
    assert texts(record)[:2] == texts(record_of(*events))
    assert record.seq == 6
    assert_is_legal(record)


def test_result_names_and_decisions_are_set_and_undone() -> None:
    flag = flag_of("", at_ms=5, color=Position.start(Variant.INTERNATIONAL).side_to_move)
    events: list[Event] = [*told(MOVES[:1]), flag]
    edits: list[OperatorEvent] = [
        ResultSet(**WHO, result="1-1"),  # type: ignore[arg-type]
        TagsSet(**WHO, tags=(("White", "Ton"),)),  # type: ignore[arg-type]
        FlagDecided(**WHO, flag=3, how="accepted"),  # type: ignore[arg-type]
    ]
    record = record_of(*events, *edits)
    assert record.ending is not None
    assert record.ending.result == "1-1"
    assert dict(record.tags) == {"White": "Ton"}
    assert not record.open_flags
    assert '[White "Ton"]' in record_pdn(record, {"White": "Harm"})
    assert '[Result "1-1"]' in record_pdn(record, {})
    back = record_of(*events, *edits, undone(6), undone(5), undone(4))
    assert (back.ending, back.tags, len(back.open_flags)) == (None, (), 1)
    wrong_order = record_of(*events, *edits, undone(4))
    assert wrong_order.ending is not None


def test_the_ending_that_a_camera_saw_comes_back_with_the_result_undone() -> None:
    entered = ResultSet(**WHO, result="1-1")  # type: ignore[arg-type]
    annulled = ResultSet(**WHO, result="*")  # type: ignore[arg-type]
    ended = GameEnded(at_ms=9, seen_ms=9, result="2-0", reason="blocked", clause="7.3")
    events: list[Event] = [*told(MOVES[:1]), entered, ended]

    def result_after(*edits: OperatorEvent) -> str | None:
        ending = record_of(*events, *edits).ending
        return None if ending is None else ending.result

    assert result_after() == "1-1"
    assert result_after(undone(3)) == "2-0"
    assert result_after(annulled) is None
    assert result_after(annulled, entered, undone(6)) is None
    assert result_after(annulled, undone(5), undone(3)) == "2-0"
