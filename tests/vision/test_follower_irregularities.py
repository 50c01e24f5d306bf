import random
from dataclasses import replace

import pytest

from rules import Color, Position, Square, Variant, parse_fen
from tests.vision.followed import follow
from tests.vision.irregular_games import irregular_game
from tests.vision.irregular_play import KINDS, incident
from tests.vision.reading_simulator import Noise, Script, film
from vision import (
    BoardEvent,
    DisturbanceNoticed,
    DisturbanceRestored,
    Follower,
    GameStarted,
    IrregularityFlagged,
    IrregularityResolved,
    MoveSettled,
    SquareState,
)

NOISE = Noise(wrong=0.02)


@pytest.mark.parametrize("color", list(Color))
@pytest.mark.parametrize("clause", KINDS)
def test_an_irregularity_is_named_by_its_clause(clause: str, color: Color) -> None:
    case = incident(clause, color, 0)
    told = follow(case.script, fps=10, noise=NOISE, seed=0, start=case.script.start)
    flags = [event for event in told.events if isinstance(event, IrregularityFlagged)]
    named = [flag for flag in flags if flag.clause in case.clauses]
    assert named, flags
    assert named[0].color is color
    assert told.follower.position == case.final


@pytest.mark.parametrize("clause", ["5.4.1", "5.4.2", "5.4.6", "5.4.9", "5.4.14"])
def test_an_irregularity_is_put_right_by_the_position_before(clause: str) -> None:
    case = incident(clause, Color.WHITE, 1)
    told = follow(case.script, fps=10, noise=NOISE, seed=1, start=case.script.start)
    resolved = [event for event in told.events if isinstance(event, IrregularityResolved)]
    assert [(event.flag, event.how) for event in resolved] == [(1, "rectified")]
    assert told.follower.position == case.final


@pytest.mark.parametrize("clause", ["5.4.1", "5.4.2", "5.4.6", "5.4.8"])
def test_an_answer_before_the_flag_accepts_the_irregularity(clause: str) -> None:
    case = incident(clause, Color.BLACK, 0, flagging_ms=1200)
    told = follow(case.script, fps=10, noise=NOISE, seed=0, start=case.script.start)
    events = [event for event in told.events if not isinstance(event, MoveSettled)]
    assert [type(event) for event in events[1:]] == [IrregularityFlagged, IrregularityResolved]
    assert isinstance(events[1], IrregularityFlagged)
    assert (events[1].clause, events[1].color) == (clause, Color.BLACK)
    assert isinstance(events[2], IrregularityResolved)
    assert events[2].how == "accepted"
    assert told.follower.position == case.final


@pytest.mark.parametrize("color", list(Color))
def test_a_man_taken_up_and_put_back_had_to_be_played(color: Color) -> None:
    position = parse_fen(f"{color.value[0].upper()}:W31-50:B1-20", Variant.INTERNATIONAL)
    touched, move, state = (
        (Square(32), (Square(34), Square(29)), SquareState.WHITE_MAN)
        if color is Color.WHITE
        else (Square(19), (Square(17), Square(22)), SquareState.BLACK_MAN)
    )
    script = Script(position, random.Random(0))
    script.wait(2500)
    script.take_off(color, (touched,))
    script.withdraw(color)
    script.wait(1500)
    script.hold(color, touched, 300)
    script.set(color, touched, state, (200, 300))
    script.withdraw(color)
    script.wait(800)
    script.carry(color, move, state)
    script.withdraw(color)
    script.wait(2500)
    told = follow(script, fps=10, noise=NOISE, seed=0, start=position).events
    flags = [event for event in told if isinstance(event, IrregularityFlagged)]
    assert [(flag.clause, flag.color, flag.certain) for flag in flags] == [("5.4.3", color, True)]
    assert touched in flags[0].squares


@pytest.mark.parametrize("seed", range(2))
def test_a_game_full_of_irregularities_is_followed_to_its_end(seed: int) -> None:
    game = irregular_game(seed, plies=30)
    assert game.faults > 0
    told = follow(game.script, fps=10, noise=NOISE, seed=seed, start=game.start)
    assert told.follower.position == game.script.position


@pytest.mark.parametrize("remover", list(Color))
def test_the_other_player_may_go_on_after_a_removal(remover: Color) -> None:
    start = parse_fen("W:W31-50:B1-20", Variant.INTERNATIONAL)
    script = Script(start, random.Random(0))
    script.wait(2500)
    script.take_off(remover, (Square(20),))
    script.withdraw(remover)
    script.wait(4500)
    script.carry(Color.BLACK, (Square(19), Square(23)), SquareState.BLACK_MAN)
    script.withdraw(Color.BLACK)
    script.wait(2500)
    script.carry(Color.WHITE, (Square(34), Square(30)), SquareState.WHITE_MAN)
    script.withdraw(Color.WHITE)
    script.wait(2500)
    told = follow(script, fps=10, noise=NOISE, seed=0, start=start)
    flags = [event.clause for event in told.events if isinstance(event, IrregularityFlagged)]
    moves = [event.move for event in told.events if isinstance(event, MoveSettled)]
    resolved = [event.fen for event in told.events if isinstance(event, IrregularityResolved)]
    assert (flags, moves) == (["5.4.7"], ["19-23", "34-30"])
    assert resolved == ["B:W31-50:B1-19"]


def test_whose_man_was_moved_out_of_turn_may_go_on() -> None:
    start = parse_fen("W:W31-50:B1-20", Variant.INTERNATIONAL)
    script = Script(start, random.Random(0))
    script.wait(2500)
    for path in ((31, 27), (33, 29), (39, 33)):
        script.carry(Color.WHITE, tuple(map(Square, path)), SquareState.WHITE_MAN)
        script.withdraw(Color.WHITE)
        script.wait(4500)
    told = follow(script, fps=10, noise=NOISE, seed=0, start=start)
    flags = [event.clause for event in told.events if isinstance(event, IrregularityFlagged)]
    moves = [event.move for event in told.events if isinstance(event, MoveSettled)]
    assert (flags, moves) == (["5.4.1"], ["31-27", "39-33"])
    assert told.follower.position.side_to_move is Color.BLACK


def test_men_taken_off_much_later_were_removed_with_an_interruption() -> None:
    before = parse_fen("W:W48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
    first, *rest = (Square(43), Square(34), Square(24))
    script = Script(before, random.Random(0))
    script.wait(2500)
    path = tuple(Square(square) for square in (48, 39, 30, 19))
    script.carry(Color.WHITE, path, SquareState.WHITE_MAN)
    script.take_off(Color.WHITE, (first,))
    script.withdraw(Color.WHITE)
    script.wait(6500)
    script.take_off(Color.WHITE, tuple(rest))
    script.withdraw(Color.WHITE)
    script.wait(2500)
    told = follow(script, fps=10, noise=NOISE, seed=0, start=before).events
    flags = [event.clause for event in told if isinstance(event, IrregularityFlagged)]
    assert flags == ["5.4.11", "5.4.13"]
    resolved = [event.how for event in told if isinstance(event, IrregularityResolved)]
    assert resolved == ["rectified"]
    assert [event.move for event in told if isinstance(event, MoveSettled)] == ["48x19"]


@pytest.mark.parametrize(
    ("is_pressed", "is_removed", "flags"),
    [(True, True, ["5.4.13"]), (False, True, []), (True, False, ["5.4.11"])],
)
def test_who_presses_the_clock_before_the_last_man_is_off_has_interrupted_the_removal(
    is_pressed: bool, is_removed: bool, flags: list[str]
) -> None:
    before = parse_fen("W:W48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
    script = Script(before, random.Random(0))
    script.wait(2500)
    path = tuple(Square(square) for square in (48, 39, 30, 19))
    script.carry(Color.WHITE, path, SquareState.WHITE_MAN)
    script.take_off(Color.WHITE, (Square(43), Square(34)))
    script.withdraw(Color.WHITE)
    lever_ms = script.now_ms + 100
    script.wait(1500)
    if is_removed:
        script.take_off(Color.WHITE, (Square(24),))
        script.withdraw(Color.WHITE)
    script.wait(2500)
    follower = Follower(Variant.INTERNATIONAL, start=before)
    told: list[BoardEvent] = []
    for reading in film(script, fps=10, noise=NOISE, seed=0):
        if is_pressed and reading.at_ms >= lever_ms:
            follower.press(Color.WHITE)
            is_pressed = False
        told += follower.update(reading)
    assert [event.clause for event in told if isinstance(event, IrregularityFlagged)] == flags
    moves = [event.move for event in told if isinstance(event, MoveSettled)]
    assert moves == (["48x19"] if is_removed else [])


def test_a_bump_that_is_put_right_at_once_is_no_irregularity() -> None:
    script = Script(Position.start(Variant.INTERNATIONAL), random.Random(0))
    script.wait(2500)
    script.set(Color.WHITE, 33, SquareState.EMPTY, (200, 200))
    script.set_place(Color.WHITE, script.place(33) + 1, SquareState.WHITE_MAN)
    script.withdraw(Color.WHITE)
    script.wait(700)
    script.set_place(Color.WHITE, script.place(33) + 1, SquareState.EMPTY)
    script.set(Color.WHITE, 33, SquareState.WHITE_MAN, (200, 200))
    script.withdraw(Color.WHITE)
    script.wait(4000)
    told = follow(script, fps=10, noise=NOISE, seed=0).events
    assert [type(event) for event in told] == [GameStarted]


def test_a_swept_board_is_a_disturbance_and_play_goes_on_when_it_is_restored() -> None:
    script = Script(Position.start(Variant.INTERNATIONAL), random.Random(0))
    script.wait(2500)
    swept = [(square, square - 10) for square in range(31, 37)]
    for start, end in swept:
        script.set(Color.WHITE, start, SquareState.EMPTY, (60, 60))
        script.set(Color.WHITE, end, SquareState.WHITE_MAN, (60, 60))
    script.withdraw(Color.WHITE)
    script.wait(4000)
    for start, end in swept:
        script.set(Color.WHITE, end, SquareState.EMPTY, (100, 100))
        script.set(Color.WHITE, start, SquareState.WHITE_MAN, (100, 100))
    script.withdraw(Color.WHITE)
    script.wait(2000)
    script.carry(Color.WHITE, (Square(32), Square(28)), SquareState.WHITE_MAN)
    script.withdraw(Color.WHITE)
    script.wait(2000)
    told = follow(script, fps=10, noise=NOISE, seed=0).events
    assert [type(event) for event in told] == [
        GameStarted,
        DisturbanceNoticed,
        DisturbanceRestored,
        MoveSettled,
    ]


@pytest.mark.parametrize("color", list(Color))
def test_a_man_who_moved_out_of_turn_is_told_though_no_hand_was_seen(color: Color) -> None:
    """Hands as red as the men may be taken for them."""
    case = incident("5.4.1", color, 0)
    case.script.acts = [replace(act, hands=()) for act in case.script.acts]
    told = follow(case.script, fps=10, noise=NOISE, seed=0, start=case.script.start)
    (flag,) = [event for event in told.events if isinstance(event, IrregularityFlagged)]
    assert (flag.clause, flag.color) == ("5.4.1", color)
    assert flag.seen_ms <= case.done_ms + 2600
