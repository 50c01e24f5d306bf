"""Lever and camera: whose word is missing is told, and times belong to the right ply."""

import random
from dataclasses import dataclass, field

import pytest

from damcam.game.record import GameRecord
from damcam.journal.events import ClockRead, Entry, Event, WitnessesDiffered
from damcam.recording.witnesses import Witnesses
from device import DeviceFound, DeviceLost, LeverPressed
from device.clock import ClockTimes
from rules import Color, Position, Variant, to_fen
from tests.damcam.fakes import flag_of, random_moves, told
from vision import (
    BoardFound,
    BoardLost,
    GameEnded,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

WHITE, BLACK = Color.WHITE, Color.BLACK
SHOWN = ClockTimes(white_ms=111, black_ms=222, running=WHITE)
START_FEN = to_fen(Position.start(Variant.INTERNATIONAL))


def press(by: Color, at_ms: int) -> LeverPressed:
    """Return a press whose times name it: White's are its time, Black's one more."""
    return LeverPressed(at_ms=at_ms, by=by, white_ms=at_ms, black_ms=at_ms + 1)


def flag(color: Color, at_ms: int) -> IrregularityFlagged:
    return flag_of(
        START_FEN, at_ms=at_ms, seen_ms=at_ms + 2000, clause="5.4.6", color=color, text="no capture"
    )


@dataclass
class Court:
    """Hears both witnesses in the order of a journal."""

    witnesses: Witnesses = field(default_factory=lambda: Witnesses(GameRecord()))
    record: GameRecord = field(default_factory=GameRecord)
    told: list[WitnessesDiffered] = field(default_factory=list)

    def hear(self, *events: Event) -> None:
        for event in events:
            entry = Entry(seq=self.record.seq + 1, event=event)
            self.record = self.record.after(entry)
            if isinstance(event, WitnessesDiffered):
                self.told.append(event)
            self.hear(*self.witnesses.note(entry, SHOWN))

    def wait(self, until_ms: int) -> None:
        self.hear(*self.witnesses.waited(until_ms))

    @property
    def kinds(self) -> list[tuple[str, Color, int | None]]:
        return [(each.kind, each.color, each.ply) for each in self.told]

    @property
    def times(self) -> list[int | None]:
        """White's time after each ply."""
        return [move.clocks.white_ms if move.clocks else None for move in self.record.moves]


def game(plies: int, seed: int = 1) -> list[Event]:
    """Return a start and moves that are played once a second."""
    return list(told(random_moves(plies, seed=seed)))


@pytest.mark.parametrize("seed", range(60))
def test_a_pressed_game_is_silent_and_every_ply_has_its_own_times(seed: int) -> None:
    """Presses come at once, moves late and in bursts, as a camera behind a hand tells them."""
    chance = random.Random(seed)
    begin, *moves = game(30, seed)
    due: list[tuple[float, Event]] = []
    late_ms = 0.0
    for event in moves:
        assert isinstance(event, MoveSettled)
        late_ms = max(late_ms, event.at_ms + chance.uniform(0, 4000))
        due.append((late_ms, event))
        lag_ms = chance.choice((0, 0, 900))
        due.append((event.at_ms + 300 + lag_ms, press(event.color, event.at_ms + 300)))
    court = Court()
    court.hear(press(BLACK, 0), begin)
    for at_ms, event in sorted(due, key=lambda pair: pair[0]):
        court.wait(int(at_ms))
        court.hear(event)
    court.wait(60_000)
    assert court.told == []
    assert court.times == [1000 * ply + 300 for ply in range(1, 31)]


def test_two_plies_of_one_frame_have_the_times_of_their_own_presses() -> None:
    court = Court()
    begin, first, second = game(2)
    court.hear(begin, press(WHITE, 1200), press(BLACK, 2200), first, second)
    assert court.times == [1200, 2200]
    assert court.record.clocks is not None
    assert (court.record.clocks.at_ms, court.record.clocks.running) == (2200, WHITE)


def test_a_press_without_a_move_is_told_once_and_the_lever_may_go_back() -> None:
    court = Court()
    court.hear(game(0)[0], press(WHITE, 1000))
    court.wait(10_900)
    assert court.kinds == []
    court.wait(11_000)
    court.wait(60_000)
    assert court.kinds == [("press without a move", WHITE, None)]
    court.hear(press(BLACK, 61_000))
    court.wait(90_000)
    assert len(court.told) == 1


def test_a_press_and_its_return_are_told_as_one() -> None:
    court = Court()
    court.hear(game(0)[0], press(WHITE, 1000), press(BLACK, 1500))
    court.wait(30_000)
    court.wait(60_000)
    assert court.kinds == [("press without a move", WHITE, None)]


def test_a_move_that_is_seen_very_late_still_gets_the_times_of_its_press() -> None:
    court = Court()
    begin, first = game(1)
    court.hear(begin, press(WHITE, 1200))
    court.wait(20_000)
    court.hear(first)
    assert court.times == [1200]


def test_a_move_without_a_press_is_told_after_a_while() -> None:
    court = Court()
    begin, first = game(1)
    court.hear(begin, first)
    court.wait(31_000)
    assert court.kinds == []
    court.wait(31_400)
    assert court.kinds == [("move without a press", WHITE, 1)]
    assert court.times == [111]
    court.hear(press(WHITE, 40_000))
    assert court.times == [40_000]
    assert len(court.told) == 1


def test_a_move_that_was_answered_unpressed_is_told_sooner_and_only_it() -> None:
    court = Court()
    begin, first, second, third = game(3)
    court.hear(begin, press(BLACK, 0), first, second)
    court.wait(7400)
    court.hear(third, press(WHITE, 3200))
    court.wait(60_000)
    assert court.kinds == [("move without a press", WHITE, 1)]
    assert court.times == [111, 111, 3200]


def test_the_wrong_players_press_is_told_at_once() -> None:
    court = Court()
    begin, first, _ = game(2)
    court.hear(begin, first, press(WHITE, 1200), press(WHITE, 1900))
    assert court.kinds == [("wrong player's press", WHITE, None)]


def test_black_may_start_whites_clock() -> None:
    court = Court()
    court.hear(game(0)[0], press(BLACK, 500))
    court.wait(60_000)
    assert court.told == []


@pytest.mark.parametrize("is_pressed_back", [False, True])
@pytest.mark.parametrize("is_press_first", [False, True])
def test_the_press_of_an_irregular_move_is_no_press_without_a_move(
    is_press_first: bool, is_pressed_back: bool
) -> None:
    court = Court()
    (begin,) = game(0)
    pair: list[Event] = [press(WHITE, 1400), flag(WHITE, 1000)]
    court.hear(begin, press(BLACK, 0), *(pair if is_press_first else pair[::-1]))
    if is_pressed_back:
        court.hear(press(BLACK, 5000))
    seq = court.record.flags[0].seq
    court.hear(
        IrregularityResolved(at_ms=6000, seen_ms=6100, flag=seq, how="rectified", fen=START_FEN)
    )
    court.wait(30_000)
    assert court.told == []
    assert court.record.open_flags == ()


def test_a_move_made_instead_of_another_has_the_times_of_its_own_press() -> None:
    court = Court()
    begin, first = game(1)
    assert isinstance(first, MoveSettled)
    instead = MoveCorrected(
        at_ms=4000, seen_ms=4100, ply=1, move="31-27", replaces=first.move, fen=first.fen
    )
    court.hear(begin, first, press(WHITE, 1200), press(BLACK, 3000), instead, press(WHITE, 4500))
    assert court.times == [4500]


def test_a_witness_who_is_away_is_not_blamed() -> None:
    court = Court()
    begin, first, second = game(2)
    court.hear(begin, press(BLACK, 0), first, DeviceLost(at_ms=1100, device="clock"))
    court.wait(60_000)
    assert court.told == []
    court.hear(DeviceFound(at_ms=60_000, device="clock"), press(WHITE, 60_100))
    court.hear(press(BLACK, 60_900), BoardLost(at_ms=61_000, seen_ms=61_000))
    court.wait(90_000)
    found = BoardFound(
        at_ms=90_000, seen_ms=90_000, size=10, corners=(), white_side="left", placed_correctly=True
    )
    court.hear(found)
    court.wait(99_000)
    assert court.told == []
    court.hear(second)
    assert court.times == [60_100, 60_900]


def test_the_last_move_of_a_game_need_not_be_pressed() -> None:
    court = Court()
    begin, first = game(1)
    court.hear(
        begin,
        first,
        GameEnded(at_ms=1000, seen_ms=1400, result="2-0", reason="blocked", clause="7.2.2"),
    )
    court.wait(90_000)
    assert court.told == []
    assert court.times == [111]


def test_a_game_that_goes_on_knows_whose_turn_it_is() -> None:
    court = Court()
    court.hear(*game(2))
    again = Court(witnesses=Witnesses(court.record), record=court.record)
    again.hear(press(BLACK, 9000))
    assert again.kinds == [("wrong player's press", BLACK, None)]


def test_times_are_told_as_of_the_press() -> None:
    court = Court()
    begin, first = game(1)
    entry = Entry(seq=1, event=begin)
    court.witnesses.note(entry, SHOWN)
    court.witnesses.note(Entry(seq=2, event=press(WHITE, 1200)), SHOWN)
    assert court.witnesses.note(Entry(seq=3, event=first), SHOWN) == (
        ClockRead(at_ms=1200, seen_ms=1400, ply=1, white_ms=1200, black_ms=1201, running=BLACK),
    )
