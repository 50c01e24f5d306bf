from dataclasses import replace

import numpy as np
import pytest

from damcam.simulation import BLITZ, FilmLook, SimulatedCamera, random_game, random_look, script_of
from device import Frame
from rules import Game, Variant, to_fen


def small_look(seed: int, size: int = 10) -> FilmLook:
    return random_look(seed, size, width=320, height=180)


def filmed(
    seed: int, *, plies: int = 8, variant: Variant = Variant.INTERNATIONAL
) -> SimulatedCamera:
    game = random_game(variant, seed, plies=plies)
    look = small_look(seed, len(game.position.grid()))
    return SimulatedCamera(script_of(game, seed=seed), seed=seed, look=look, pace=BLITZ)


@pytest.mark.parametrize("variant", [Variant.INTERNATIONAL, Variant.CANADIAN, Variant.ENGLISH])
@pytest.mark.parametrize("seed", range(3))
def test_truth_replays_by_the_rules(seed: int, variant: Variant) -> None:
    truth = filmed(seed, plies=40, variant=variant).truth
    game = Game.start(truth.start)
    for ply, move in enumerate(truth.moves, 1):
        assert move.played.ply == ply
        game = game.after(move.played.move)
        assert to_fen(game.position) == move.played.fen
    assert game == truth.game
    times = [time for move in truth.moves for time in (move.at_ms, move.done_ms)]
    assert times == sorted(times)
    assert times[-1] < truth.end_ms


@pytest.mark.parametrize("seed", range(4))
def test_board_shows_each_position_once_the_hands_are_gone(seed: int) -> None:
    camera = filmed(seed, plies=12)
    shown = [
        camera.label(frame.index).grid for frame in camera if not camera.label(frame.index).has_hand
    ]
    for position in (camera.truth.start, camera.truth.game.position):
        assert position.grid() in shown
    wanted = [position.grid() for position in camera.truth.game.positions]
    assert all(grid in wanted for grid in shown)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_crowned_kings_stand_on_their_squares(seed: int) -> None:
    game = random_game(Variant.INTERNATIONAL, seed, plies=80)
    crowned = next(ply for ply, move in enumerate(game.moves) if move.crowns)
    part = Game.start(game.positions[crowned])
    for move in game.moves[crowned : crowned + 4]:
        part = part.after(move)
    camera = SimulatedCamera(script_of(part, seed=seed), look=small_look(seed), pace=BLITZ)
    frames = [frame.index for frame in camera if not camera.label(frame.index).has_hand]
    assert camera.label(frames[0]).grid == part.initial.grid()
    assert camera.label(frames[-1]).grid == part.position.grid()
    assert all("?" not in "".join(camera.label(index).grid) for index in frames)


def test_frames_count_up_at_the_given_rate() -> None:
    camera = filmed(1, plies=2)
    frames = list(camera)
    assert [frame.index for frame in frames] == list(range(camera.frame_count))
    assert [frame.at_ms for frame in frames[:4]] == [0, 100, 200, 300]
    assert all(frame.bgr.shape == (180, 320, 3) for frame in frames)
    assert not frames[0].bgr.flags.writeable


def test_same_seed_films_the_same_pictures() -> None:
    first, second = list(filmed(5, plies=2)), list(filmed(5, plies=2))
    other = list(filmed(6, plies=2))
    assert all(pictures_match(*pair) for pair in zip(first, second, strict=True))
    assert not pictures_match(first[0], other[0])


def pictures_match(first: Frame, second: Frame) -> bool:
    return bool(np.array_equal(first.bgr, second.bgr))


def test_hand_hides_squares_and_pictures_change_under_it() -> None:
    camera = filmed(2, plies=2)
    frames = list(camera)
    hidden = [sum(row.count("?") for row in camera.label(frame.index).grid) for frame in frames]
    assert hidden[0] == 0
    assert max(hidden) > 4
    assert hidden[-1] == 0
    busiest = frames[int(np.argmax(hidden))]
    change = np.abs(busiest.bgr.astype(int) - frames[0].bgr).mean(axis=-1) > 30
    assert 0.01 < change.mean() < 0.5


def test_look_of_another_board_is_refused() -> None:
    game = random_game(Variant.INTERNATIONAL, 1, plies=2)
    with pytest.raises(ValueError, match="board of 10"):
        SimulatedCamera(script_of(game, seed=1), look=small_look(1, 8))


def test_bad_frame_rate_is_refused() -> None:
    game = random_game(Variant.INTERNATIONAL, 1, plies=2)
    with pytest.raises(ValueError, match="fps must be above 0"):
        SimulatedCamera(script_of(game, seed=1), fps=0)


def test_looks_are_drawn_from_the_named_boards_and_sets_only() -> None:
    for seed in range(6):
        look = random_look(seed, boards=("maple-walnut", "white-black"), sets=("white-black",))
        assert look.board.name in ("maple-walnut", "white-black")
        assert look.men.name == "white-black"
        assert not look.board.is_misplaced
        assert replace(look, seed=1).size == 10
