"""Boards that look as before, and boards that do not."""

import numpy as np
from numpy.typing import NDArray

from vision.squares.stillness import CALM_MS, MOST_SKIPPED, Stillness


def board(seed: int = 0) -> NDArray[np.uint8]:
    cells = np.kron(np.indices((12, 12)).sum(axis=0) % 2, np.ones((24, 24), int))
    noise = np.random.default_rng(seed).normal(0, 6, (288, 288, 3))
    return np.clip(60 + 120 * cells[..., None] + noise, 0, 255).astype(np.uint8)


def test_noise_is_nothing_new() -> None:
    stillness = Stillness()
    assert not stillness.is_still(board(0), 0)
    assert stillness.is_still(board(1), CALM_MS)
    assert stillness.is_still(board(2), CALM_MS + 100)


def test_a_man_that_moved_is_seen() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    moved = board(1)
    moved[100:112, 100:112] = 200
    moved[28:44, 52:68] = 20
    assert not stillness.is_still(moved, CALM_MS)
    assert not stillness.is_still(moved, 2 * CALM_MS - 100)
    assert stillness.is_still(moved, 2 * CALM_MS)


def test_another_light_is_seen() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    assert not stillness.is_still((board(1) * 0.95).astype(np.uint8), CALM_MS)


def test_now_and_then_a_still_board_is_read_all_the_same() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    later = range(2 * MOST_SKIPPED + 2)
    told = [stillness.is_still(board(seed), CALM_MS + 100 * seed) for seed in later]
    assert told.count(False) == 2


def test_a_slow_change_adds_up() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    fading = []
    for step in range(1, 4):
        view = board(step)
        view[100:112, 100:112] = np.clip(view[100:112, 100:112] - 5.0 * step, 0, 255)
        fading.append(stillness.is_still(view, CALM_MS + 100 * step))
    assert False in fading


def test_after_forgetting_the_next_frame_is_read() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    stillness.forget()
    assert not stillness.is_still(board(0), CALM_MS)


def test_a_board_of_another_size_is_read() -> None:
    stillness = Stillness()
    stillness.is_still(board(0), 0)
    assert not stillness.is_still(board(0)[:240, :240], CALM_MS)
