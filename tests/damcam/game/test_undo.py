"""Every kind of edit can be undone, tells who, when and why, and takes the right role."""

from collections.abc import Mapping
from dataclasses import replace
from typing import get_args

import pytest

from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord, fold
from damcam.journal.event_json import from_json, to_json
from damcam.journal.events import ClockRead, Entry, Event, WitnessesDiffered
from damcam.journal.operator_events import EditUndone, FlagDecided, OperatorEvent
from damcam.serve.operator_forms import ACTIONS, event_of, role_for
from rules import Color, legal_moves, move_text
from tests.damcam.fakes import flag_of, played, random_moves, settled, told
from vision import GameEnded, IrregularityResolved

MOVES = random_moves(8, seed=4)
AT_MS = 9_000
FLAG = 10
EVENTS: list[Event] = [
    *told(MOVES),
    flag_of("", at_ms=AT_MS, color=Color.WHITE),
    WitnessesDiffered(
        at_ms=AT_MS,
        seen_ms=AT_MS,
        kind="move without a press",
        color=Color.BLACK,
        ply=8,
        text="Black moved, but did not press the clock",
    ),
    ClockRead(
        at_ms=AT_MS, seen_ms=AT_MS, ply=8, white_ms=60_000, black_ms=50_000, running=Color.WHITE
    ),
]
THIRD, NEXT = played(MOVES[:2]).position, played(MOVES).position
OTHER = next(move for move in legal_moves(THIRD) if move != MOVES[2])
FORMS: dict[str, dict[str, str]] = {
    "replace": {"ply": "3", "move": move_text(OTHER, THIRD)},
    "takeback": {"count": "3"},
    "insert": {"ply": "9", "moves": move_text(legal_moves(NEXT)[0], NEXT)},
    "position": {"fen": "W:W31-50:B1-20"},
    "resync": {"side": "white"},
    "result": {"result": "1-1", "reason": "agreement"},
    "tags": {"White": "Ton", "Round": "2.3"},
    "decide": {"flag": str(FLAG), "how": "accepted"},
    "time": {"side": "white", "seconds": "30"},
}
SEEN = tuple(played(MOVES[:2]).position.grid())
FOR_ARBITERS = {"result", "decide", "time"}


def recorded(events: list[Event]) -> GameRecord:
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


def asked(record: GameRecord, form: Mapping[str, str]) -> OperatorEvent:
    form = {"why": "as the sheet says", **form}
    return event_of(form, record, by="Anna", at_utc="2026-11-30T21:00:00", seen=SEEN)


def without_edits(record: GameRecord) -> GameRecord:
    return replace(record, seq=0, edits=())


@pytest.mark.parametrize("action", FORMS)
def test_every_edit_can_be_undone(action: str) -> None:
    before = recorded(EVENTS)
    edit = asked(before, {"action": action, **FORMS[action]})
    after = recorded([*EVENTS, edit])
    assert without_edits(after) != without_edits(before)
    undo = asked(after, {"action": "undo", "edit": str(after.seq)})
    back = recorded([*EVENTS, edit, undo])
    if action == "result" and before.clocks is not None:
        # Nobody knows whether the players started the clock again.
        before = replace(before, clocks=replace(before.clocks, running=None))
    assert without_edits(back) == without_edits(before)
    assert record_pdn(back, {}) == record_pdn(before, {})
    assert [one.is_undone for one in back.edits] == [True, False]


def test_the_forms_are_all_there_are() -> None:
    assert {*FORMS, "undo"} == set(ACTIONS)
    record = recorded(EVENTS)
    made = {type(asked(record, {"action": action, **FORMS[action]})) for action in FORMS}
    assert {*made, EditUndone} == set(get_args(OperatorEvent))


@pytest.mark.parametrize("action", FORMS)
def test_the_journal_has_who_when_and_why(action: str) -> None:
    edit = asked(recorded(EVENTS), {"action": action, **FORMS[action]})
    kept = from_json(to_json(Entry(seq=1, event=edit))).event
    assert kept == edit
    assert isinstance(kept, OperatorEvent)
    told = (kept.by, kept.at_utc, kept.why)
    assert told == ("Anna", "2026-11-30T21:00:00", "as the sheet says")


@pytest.mark.parametrize("action", FORMS)
def test_an_operator_undoes_no_decision_of_the_arbiter(action: str) -> None:
    form = {"action": action, **FORMS[action]}
    record = recorded(EVENTS)
    role = "arbiter" if action in FOR_ARBITERS else "operator"
    assert role_for(form, record) == role
    assert role_for({"action": "undo"}, recorded([*EVENTS, asked(record, form)])) == role


def test_irregularities_keep_their_places_over_a_take_back() -> None:
    before = recorded(EVENTS)
    taken_back = asked(before, {"action": "takeback", "count": "3"})
    shorter = recorded([*EVENTS, taken_back])
    assert ([one.ply for one in shorter.flags], shorter.disputes) == ([5], ())
    undo = asked(shorter, {"action": "undo", "edit": str(shorter.seq)})
    whole = recorded([*EVENTS, taken_back, undo])
    assert (whole.flags, whole.disputes) == (before.flags, before.disputes)
    again = settled(played(MOVES[:5]).position, MOVES[5], 6)
    assert not recorded([*EVENTS, taken_back, again]).disputes


def test_what_the_arbiter_decided_stands_whatever_the_camera_makes_of_it() -> None:
    record = recorded(EVENTS)
    decided = asked(record, {"action": "decide", "flag": str(FLAG), "how": "decided"})
    assert isinstance(decided, FlagDecided)
    resolved = IrregularityResolved(
        at_ms=AT_MS, seen_ms=AT_MS, flag=FLAG, how="rectified", fen=record.fen or ""
    )
    assert recorded([*EVENTS, resolved]).flags[0].status == "rectified"
    assert recorded([*EVENTS, decided, resolved]).flags[0].status == "decided"


def test_a_result_that_somebody_entered_stands_whatever_the_camera_makes_of_it() -> None:
    seen = GameEnded(at_ms=AT_MS, seen_ms=AT_MS, result="2-0", reason="blocked", clause="7.2.2")
    entered = asked(recorded(EVENTS), {"action": "result", "result": "1-1", "reason": "agreement"})
    goes_on = asked(recorded(EVENTS), {"action": "result", "result": "*"})
    results = [
        ended.result
        for events in ([entered, seen], [entered, goes_on, seen], [seen, entered])
        if (ended := recorded([*EVENTS, *events]).ending) is not None
    ]
    assert results == ["1-1", "2-0", "1-1"]


def test_an_undone_decision_leaves_what_the_camera_saw_since() -> None:
    def decided(*since: Event) -> FlagDecided:
        form = {"action": "decide", "flag": str(FLAG), "how": "decided"}
        made = asked(recorded([*EVENTS, *since]), form)
        assert isinstance(made, FlagDecided)
        return made

    def status_after_undo(*events: Event) -> str:
        record = recorded([*EVENTS, *events])
        newest = next(one.seq for one in reversed(record.edits) if not one.is_undone)
        undo = asked(record, {"action": "undo", "edit": str(newest)})
        return recorded([*EVENTS, *events, undo]).flags[0].status

    fen = recorded(EVENTS).fen or ""
    resolved = IrregularityResolved(at_ms=AT_MS, seen_ms=AT_MS, flag=FLAG, how="rectified", fen=fen)
    first, second = decided(), replace(decided(), how="accepted")
    assert status_after_undo(first) == "open"
    assert status_after_undo(first, resolved) == "rectified"
    assert status_after_undo(resolved, decided(resolved)) == "rectified"
    assert status_after_undo(first, second, resolved) == "decided"
