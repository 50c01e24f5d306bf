import random
from dataclasses import replace

import numpy as np
import pytest

from rules import Color, Game, Position, Square, Variant, legal_moves, parse_fen, parse_move
from tests.vision.followed import follow, play
from tests.vision.offences import random_position
from tests.vision.reading_simulator import BLITZ, Act, Noise, Pace, Script, film, state_of
from vision import (
    BoardEvent,
    Follower,
    GameEnded,
    GameStarted,
    IrregularityFlagged,
    MoveCorrected,
    MoveSettled,
    SquareState,
)

CLEAN = Noise(wrong=0.0)
USUAL = Noise(wrong=0.05)
SEEDS_OF_FAULTS = ((0, 40), (1, 40), (2, 40), (3012, 18), (3023, 10), (3024, 24), (3064, 24))


def start_script(
    seed: int = 0, position: Position | None = None, pace: Pace | None = None
) -> Script:
    start = position or Position.start(Variant.INTERNATIONAL)
    script = Script(start, random.Random(seed), pace or Pace())
    script.wait(2500)
    return script


def moves_told(events: tuple[object, ...]) -> list[str]:
    return [event.move for event in events if isinstance(event, MoveSettled)]


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_followed_through_noise_and_hands(seed: int) -> None:
    played = play(seed, plies=40, fps=5, noise=USUAL)
    assert played.is_exact
    assert not any(isinstance(event, IrregularityFlagged) for event in played.followed.events)


@pytest.mark.parametrize(("seed", "plies"), SEEDS_OF_FAULTS)
def test_squares_that_always_read_wrong_are_no_evidence(seed: int, plies: int) -> None:
    played = play(seed, plies=plies, fps=10, noise=Noise(wrong=0.02, is_realistic=True, stuck=2))
    assert played.is_exact
    assert not any(isinstance(event, IrregularityFlagged) for event in played.followed.events)


@pytest.mark.parametrize("seed", [0, 1])
def test_kings_that_read_as_men_for_long_or_by_turns_raise_no_alarm(seed: int) -> None:
    position = parse_fen("W:WK46,44,45,49,16:BK5,2,3,4,35", Variant.INTERNATIONAL)
    script = start_script(seed, position)
    for _ in range(24):
        if not legal_moves(script.position):
            break
        script.move(script.rng.choice(legal_moves(script.position)))
        script.wait()
    script.wait(2000)
    noise = Noise(wrong=0.02, is_realistic=True, misranked=0.6)
    told = follow(script, fps=10, noise=noise, seed=seed, start=position)
    assert told.follower.position == script.position
    assert {type(event) for event in told.events} <= {GameStarted, MoveSettled, GameEnded}


def test_a_king_that_has_looked_crowned_once_is_not_taken_for_a_single_man() -> None:
    position = parse_fen("B:W36,46,50:B3,8,16,43", Variant.INTERNATIONAL)
    script = start_script(0, position)
    script.move(parse_move("43-48", position))
    script.wait(2500)
    place = (script.place(48), SquareState.BLACK_MAN)
    script.acts.append(Act(duration_ms=4000, changes=(place,)))  # It reads so from here on.
    script.move(parse_move("50-45", script.position))
    script.wait(1500)
    king = parse_move("48-42", script.position)
    script.carry(Color.BLACK, king.path, SquareState.BLACK_MAN)
    script.withdraw(Color.BLACK)
    script.wait(2500)
    told = follow(script, fps=10, noise=CLEAN, seed=0, start=position).events
    assert moves_told(told) == ["43-48", "50-45", "48-42"]
    assert {type(event) for event in told} == {GameStarted, MoveSettled}


@pytest.mark.parametrize("variant", [Variant.CANADIAN, Variant.ENGLISH])
def test_the_other_games_are_followed_too(variant: Variant) -> None:
    assert play(1, plies=40, fps=5, noise=USUAL, variant=variant).is_exact


@pytest.mark.parametrize("fps", [3.0, 30.0])
def test_the_frame_rate_does_not_matter(fps: float) -> None:
    assert play(2, plies=16, fps=fps, noise=USUAL).is_exact


def test_blitz_is_followed() -> None:
    assert play(3, plies=50, fps=10, noise=USUAL, pace=BLITZ).is_exact


@pytest.mark.parametrize("seed", [0, 6, 8, 12])
def test_moves_that_are_answered_at_once_are_not_forgotten(seed: int) -> None:
    fen = "W:W34,36-38,41,46:B3-6,8,11,12,17,19,26,27"
    script = start_script(seed, parse_fen(fen, Variant.INTERNATIONAL), pace=BLITZ)
    script.wait(1500)
    game = Game.start(script.position)
    for text in ("38-32", "27x38", "37-32", "38x27"):  # It takes two men off, and that is all.
        move = parse_move(text, script.position)
        game = game.after(move)
        script.move(move)
        script.wait()
    for _ in range(2):
        move = script.rng.choice(legal_moves(script.position))
        game = game.after(move)
        script.move(move)
        script.wait()
    script.wait(2500)
    told = follow(script, fps=10, noise=USUAL, seed=seed, start=game.initial)
    assert told.follower.game.moves == game.moves


def test_a_move_is_told_within_a_second_of_its_release() -> None:
    delays = sorted(play(4, plies=60, fps=10, noise=USUAL).delays_ms)
    assert delays[len(delays) * 95 // 100] <= 1000


def test_a_reader_that_sees_no_crowns_is_good_enough() -> None:
    position = parse_fen("W:WK46,44,45,49,50:BK5,2,3,4,6,7", Variant.INTERNATIONAL)
    script = start_script(5, position)
    for _ in range(8):
        script.move(script.rng.choice(legal_moves(script.position)), is_crowned=False)
        script.wait()
    follower = Follower(Variant.INTERNATIONAL, start=position)
    for reading in film(script, fps=10, noise=CLEAN, seed=5):
        logs = reading.log_probabilities.copy()
        logs[..., SquareState.WHITE_MAN] = np.logaddexp(
            logs[..., SquareState.WHITE_MAN], logs[..., SquareState.WHITE_KING]
        )
        logs[..., SquareState.WHITE_KING] = -9.0
        follower.update(replace(reading, log_probabilities=logs))
    assert follower.position == script.position


def play_line(script: Script, *moves: str, pause_ms: int) -> Game:
    """Play moves one after the other as people do, then let the board stand."""
    game = Game.start(script.position)
    for text in moves:
        move = parse_move(text, script.position)
        game = game.after(move)
        script.move(move)
        script.wait(pause_ms)
    script.wait(2500)
    return game


@pytest.mark.parametrize(
    ("square", "held", "seen", "pause_ms"),
    [
        (20, SquareState.EMPTY, SquareState.BLACK_MAN, 1200),
        (28, SquareState.WHITE_MAN, SquareState.EMPTY, 1200),
        (24, SquareState.BLACK_MAN, SquareState.WHITE_MAN, 3500),
    ],
)
def test_a_square_that_reads_wrong_from_now_on_raises_no_alarm(
    square: int, held: SquareState, seen: SquareState, pause_ms: int
) -> None:
    script = start_script()
    fault = (script.place(square), held, seen)
    moves = ("33-28", "20-24", "39-33", "15-20", "44-39", "18-23")
    game = play_line(script, *moves, pause_ms=pause_ms)
    noise = Noise(wrong=0.02, is_realistic=True, faults=(fault,))
    told = follow(script, fps=10, noise=noise, seed=0)
    assert told.follower.game.moves == game.moves
    assert {type(event) for event in told.events} == {GameStarted, MoveSettled}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_square_that_looks_for_long_as_if_its_man_had_not_left_is_believed_once(
    seed: int,
) -> None:
    fen = "B:W25,29,30,37-43,45-48,50:B1,3-6,9-14,19,20,36"
    script = start_script(seed, parse_fen(fen, Variant.INTERNATIONAL))
    start = script.position
    script.wait(8000)
    fault = (script.place(3), SquareState.EMPTY, SquareState.BLACK_MAN)
    moves = ("3-8", "40-35", "13-18", "38-33", "18-22", "29-23", "19x28", "37-31", "36x27")
    game = play_line(script, *moves, pause_ms=1000)
    noise = Noise(wrong=0.02, is_realistic=True, faults=(fault,))
    told = follow(script, fps=10, noise=noise, seed=seed, start=start)
    assert told.follower.game.moves == game.moves
    assert {type(event) for event in told.events} == {GameStarted, MoveSettled}


@pytest.mark.parametrize(
    ("fen", "reason"),
    [("W:W:B", "board cleared"), ("W:W31-50:B1-20", "board set up again")],
)
def test_a_board_that_is_cleared_or_set_up_again_ends_the_game(fen: str, reason: str) -> None:
    position = parse_fen("W:W28,32,37,40:B8,13,19,K45", Variant.INTERNATIONAL)
    script = start_script(0, position)
    script.move(parse_move("37-31", position))
    script.wait(1500)
    standing = parse_fen(fen, Variant.INTERNATIONAL).pieces
    for square in range(1, 51):
        now, then = script.position.piece_at(Square(square)), standing.get(Square(square))
        if now != then:
            script.set(Color.WHITE, square, state_of(then), (60, 60))
    script.withdraw(Color.WHITE)
    script.wait(7000)
    told = follow(script, fps=10, noise=USUAL, seed=0, start=position)
    ended = told.events[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.result, ended.reason) == ("*", reason)
    assert moves_told(told.events) == ["37-31"]
    assert not any(isinstance(event, IrregularityFlagged) for event in told.events)


def test_a_hovering_piece_is_no_move() -> None:
    script = start_script()
    script.hold(Color.WHITE, 32, 300)
    script.set(Color.WHITE, 32, SquareState.EMPTY, (300, 300))
    script.set(Color.WHITE, 28, SquareState.WHITE_MAN, (1200, 1200))
    script.set(Color.WHITE, 28, SquareState.EMPTY, (300, 300))
    script.set(Color.WHITE, 32, SquareState.WHITE_MAN, (300, 300))
    script.withdraw(Color.WHITE)
    script.wait(3000)
    told = follow(script, fps=10, noise=USUAL, seed=1).events
    assert [type(event) for event in told] == [GameStarted]


def test_a_pause_in_a_capture_is_no_move() -> None:
    position = parse_fen("W:W48,50:B3,24,K31,34,K42,43", Variant.INTERNATIONAL)
    script = start_script(1, position)
    path = tuple(Square(square) for square in (48, 39))
    script.carry(Color.WHITE, path, SquareState.WHITE_MAN)
    script.hold(Color.WHITE, 39, 3000)
    script.carry(
        Color.WHITE, tuple(Square(square) for square in (39, 30, 19)), SquareState.WHITE_MAN
    )
    script.take_off(Color.WHITE, (Square(43), Square(34), Square(24)))
    script.withdraw(Color.WHITE)
    script.wait(3500)
    told = follow(script, fps=10, noise=USUAL, seed=1, start=position).events
    assert moves_told(told) == ["48x19"]
    assert not any(isinstance(event, IrregularityFlagged) for event in told)


@pytest.mark.parametrize("seed", range(4))
def test_moves_in_a_gap_of_the_film_are_found(seed: int) -> None:
    script = start_script(seed, random_position(random.Random(seed), 12))
    game = Game.start(script.position)
    begins_ms = script.now_ms
    for _ in range(2):
        move = script.rng.choice(legal_moves(script.position))
        game = game.after(move)
        ends_ms = script.move(move)
    script.wait(2500)
    follower = Follower(Variant.INTERNATIONAL, start=game.initial)
    for reading in film(script, fps=10, noise=USUAL, seed=seed):
        if not begins_ms <= reading.at_ms < ends_ms:
            follower.update(reading)
    assert follower.game.moves == game.moves


def test_a_stale_reading_is_no_evidence() -> None:
    script = start_script()
    script.move(legal_moves(script.position)[0])
    script.wait(3000)
    follower = Follower(Variant.INTERNATIONAL)
    for reading in film(script, fps=10, noise=CLEAN, seed=0):
        assert follower.update(replace(reading, is_stale=True)) == ()
    assert not follower.is_started


def test_the_game_waits_for_the_missing_man() -> None:
    script = Script(parse_fen("W:W31-50:B1-17", Variant.INTERNATIONAL), random.Random(0))
    script.wait(4000)
    follower = Follower(Variant.INTERNATIONAL)
    for reading in film(script, fps=10, noise=USUAL, seed=0):
        assert follower.update(reading) == ()
    assert {problem.square for problem in follower.start_problems} == {18, 19, 20}
    assert "square 18 should hold a black man" in follower.start_problems[0].text


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_joined_in_the_middle_by_whoever_moves(seed: int) -> None:
    start = random_position(random.Random(seed), 20 + seed)
    script = start_script(seed, start)
    script.wait(2000)
    for _ in range(4):
        script.move(script.rng.choice(legal_moves(script.position)))
        script.wait()
    script.wait(1500)
    told = follow(script, fps=10, noise=USUAL, seed=seed)
    assert told.follower.game.initial == start
    assert told.follower.position == script.position


NEVER_MS = 1_000_000


def told_ms(script: Script, pressed_ms: int | None, *, by: Color, noise: Noise = CLEAN) -> int:
    """Return when the first move is told of a film in which a player presses the clock."""
    follower = Follower(Variant.INTERNATIONAL, start=script.start)
    for reading in film(script, fps=10, noise=noise, seed=0):
        if pressed_ms is not None and reading.at_ms >= pressed_ms:
            follower.press(by)
            pressed_ms = None
        for event in follower.update(reading):
            if isinstance(event, MoveSettled):
                return event.seen_ms
    return NEVER_MS


def test_who_has_pressed_the_clock_holds_nothing_though_his_hand_rests_on_the_board() -> None:
    script = start_script()
    script.carry(Color.WHITE, (Square(32), Square(28)), SquareState.WHITE_MAN)
    pressed_ms = script.now_ms + 400
    script.hold(Color.WHITE, 29, 6000)
    without, pressed = (told_ms(script, at_ms, by=Color.WHITE) for at_ms in (None, pressed_ms))
    assert pressed <= pressed_ms + 100
    assert without > pressed + 1000


def test_a_press_tells_that_a_player_has_moved_whose_square_reads_as_before() -> None:
    fen = "B:W25,29,30,37-43,45-48,50:B1,3-6,9-14,19,20,36"
    script = start_script(0, parse_fen(fen, Variant.INTERNATIONAL))
    script.wait(4000)
    released_ms = script.move(parse_move("3-8", script.position))
    script.wait(4000)
    noise = Noise(wrong=0.02, faults=((script.place(3), SquareState.EMPTY, SquareState.BLACK_MAN),))
    pressed_ms = released_ms + 600
    told = told_ms(script, pressed_ms, by=Color.BLACK, noise=noise)
    assert told <= pressed_ms + 400
    without = told_ms(script, None, by=Color.BLACK, noise=noise)
    assert without > told + 1000
    assert told_ms(script, pressed_ms, by=Color.WHITE, noise=noise) == without


def test_a_press_is_no_move() -> None:
    script = start_script()
    script.wait(4000)
    assert told_ms(script, 3000, by=Color.WHITE, noise=USUAL) == NEVER_MS


def test_nothing_is_told_after_the_result() -> None:
    position = parse_fen("W:W28,40:B23", Variant.INTERNATIONAL)
    script = start_script(0, position)
    script.move(next(move for move in legal_moves(position) if move.captured))
    script.wait(2000)
    script.position = script.position.with_side_to_move(Color.WHITE)
    script.move(legal_moves(script.position)[0])
    script.wait(3000)
    told = follow(script, fps=10, noise=USUAL, seed=0, start=position)
    assert isinstance(told.events[-1], GameEnded)
    assert (told.events[-1].result, told.events[-1].clause) == ("2-0", "7.2.3")
    assert told.follower.game.ply == 1
    assert told.follower.is_ended


def test_a_misread_move_is_corrected() -> None:
    position = Position.start(Variant.INTERNATIONAL)
    script = start_script(0, position)
    move = next(each for each in legal_moves(position) if each.path == (32, 28))
    released_ms = script.move(move)
    script.wait(4000)
    seen, true = script.place(27), script.place(28)
    follower = Follower(Variant.INTERNATIONAL)
    told: list[BoardEvent] = []
    for reading in film(script, fps=10, noise=CLEAN, seed=0):
        if released_ms - 400 <= reading.at_ms < released_ms + 450:
            logs = reading.log_probabilities.reshape(-1, 6).copy()
            logs[[seen, true]] = logs[[true, seen]]
            reading = replace(reading, log_probabilities=logs.reshape(10, 10, 6))
        told += follower.update(reading)
    assert [event.move for event in told if isinstance(event, MoveSettled)] == ["32-27"]
    corrections = [event for event in told if isinstance(event, MoveCorrected)]
    assert [(each.ply, each.move, each.replaces) for each in corrections] == [(1, "32-28", "32-27")]
    assert follower.game.moves == (move,)


def test_a_board_of_another_size_is_refused() -> None:
    script = Script(Position.start(Variant.ENGLISH), random.Random(0))
    script.wait(200)
    reading = next(film(script, fps=10, noise=CLEAN, seed=0))
    with pytest.raises(ValueError, match=r"must be \(10, 10, 6\), got \(8, 8, 6\)"):
        Follower(Variant.INTERNATIONAL).update(reading)


def test_the_same_readings_tell_the_same_events() -> None:
    first, second = (play(7, plies=20, fps=5, noise=USUAL).followed.events for _ in range(2))
    assert first == second
