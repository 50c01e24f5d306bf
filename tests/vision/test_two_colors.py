import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading import LogProbabilities, SquareState
from vision.squares.men_colors import Colors, Middles, colors_of_men
from vision.squares.top_view import MARGIN, SQUARE_PX
from vision.squares.two_colors import (
    FRAMES_KEPT,
    ColorsOfFilm,
    SetColors,
    TwoColors,
    agree_on_colors,
)

Pixels = NDArray[np.uint8]
Flags = NDArray[np.bool_]
SIZE = 8
GREEN, BLUE, GREY = (40, 150, 40), (190, 90, 20), (128, 128, 128)
WHITE_AT = [(row, column) for row in (5, 6, 7) for column in range(SIZE) if (row + column) % 2]
BLACK_AT = [(row, column) for row in (0, 1, 2) for column in range(SIZE) if (row + column) % 2]


def view_of(men: dict[tuple[int, int], tuple[int, int, int]]) -> NDArray[np.uint8]:
    board = np.full((SIZE, SIZE, 3), GREY, dtype=np.uint8)
    for at, color in men.items():
        board[at] = color
    large = np.repeat(np.repeat(board, SQUARE_PX, axis=0), SQUARE_PX, axis=1)
    margin = MARGIN * SQUARE_PX
    return np.pad(large, ((margin, margin), (margin, margin), (0, 0)))


def reading_of(odds: dict[tuple[int, int], float], *, least: float = 1e-4) -> LogProbabilities:
    probabilities = np.full((SIZE, SIZE, 6), least)
    probabilities[..., SquareState.EMPTY] = 1.0
    for at, say in odds.items():
        probabilities[at] = least
        probabilities[at][SquareState.WHITE_MAN] = 1 / (1 + np.exp(-say))
        probabilities[at][SquareState.BLACK_MAN] = 1 / (1 + np.exp(say))
    probabilities /= probabilities.sum(axis=-1, keepdims=True)
    return np.asarray(np.log(probabilities), dtype=np.float32)


def two_colored() -> NDArray[np.uint8]:
    return view_of({at: GREEN for at in WHITE_AT} | {at: BLUE for at in BLACK_AT})


def states(log: LogProbabilities, at: list[tuple[int, int]]) -> set[int]:
    return {int(log[place].argmax()) for place in at}


def test_men_of_one_color_agree() -> None:
    odds = {at: 0.8 for at in WHITE_AT} | {at: -0.8 for at in BLACK_AT}
    odds |= {WHITE_AT[0]: -1.0, BLACK_AT[3]: 1.5}
    agreed = agree_on_colors(reading_of(odds), two_colored())
    assert states(agreed, WHITE_AT) == {SquareState.WHITE_MAN}
    assert states(agreed, BLACK_AT) == {SquareState.BLACK_MAN}


def test_a_sure_network_is_not_overruled() -> None:
    odds = {at: 13.0 for at in WHITE_AT} | {at: -13.0 for at in BLACK_AT}
    odds |= {WHITE_AT[0]: -13.0}
    agreed = agree_on_colors(reading_of(odds, least=1e-8), two_colored())
    assert agreed[WHITE_AT[0]].argmax() == SquareState.BLACK_MAN


def test_colors_of_a_film_keep_their_names() -> None:
    odds = {at: 1.0 for at in WHITE_AT} | {at: -1.0 for at in BLACK_AT}
    film = ColorsOfFilm()
    film.agree(reading_of(odds), two_colored())
    odds = {at: -0.5 for at in WHITE_AT} | {at: 0.5 for at in BLACK_AT[1:]}
    agreed = film.agree(reading_of(odds), two_colored())
    assert states(agreed, WHITE_AT) == {SquareState.WHITE_MAN}


def test_men_who_stand_still_are_compared_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = {at: 0.8 for at in WHITE_AT} | {at: -0.8 for at in BLACK_AT}
    compared: list[int] = []

    def counted(view: Pixels, men: Flags, empty: Flags, middles: Middles | None) -> list[Colors]:
        compared.append(int(men.sum()))
        return colors_of_men(view, men, empty, middles)

    monkeypatch.setattr("vision.squares.two_colors.colors_of_men", counted)
    film = ColorsOfFilm()
    for _ in range(FRAMES_KEPT):
        film.agree(reading_of(odds), two_colored())
    assert compared == [24]
    del odds[WHITE_AT[0]]
    film.agree(reading_of(odds), two_colored())
    for _ in range(FRAMES_KEPT):
        film.agree(reading_of(odds), two_colored())
    assert compared == [24, 23, 23]


@pytest.mark.parametrize("shades", [(100, 110), (90, 150)])
def test_one_color_in_uneven_light_is_left_alone(shades: tuple[int, int]) -> None:
    places = WHITE_AT + BLACK_AT
    levels = np.linspace(*shades, len(places)).astype(int).tolist()
    view = view_of({at: (level,) * 3 for at, level in zip(places, levels, strict=True)})
    before = reading_of({at: 0.5 for at in places})
    agreed = agree_on_colors(before, view)
    assert np.array_equal(agreed, before)


def test_result_is_a_distribution() -> None:
    odds = {at: 0.3 for at in WHITE_AT + BLACK_AT}
    agreed = agree_on_colors(reading_of(odds), two_colored())
    assert np.allclose(np.exp(agreed).sum(axis=-1), 1.0, atol=1e-5)


def test_blending_moves_towards_the_newer_colors() -> None:
    old = TwoColors(white=np.zeros(3), black=np.ones(3))
    new = TwoColors(white=np.ones(3), black=np.zeros(3))
    blended = SetColors((old, None)).blended(SetColors((new, new)), 0.25)
    first, second = blended.looks
    assert first is not None
    assert first.white.tolist() == [0.25, 0.25, 0.25]
    assert second is new


def upright(men: dict[tuple[int, int], tuple[int, int, int]]) -> dict[tuple[int, int], Pixels]:
    return {at: np.full((9, 3), color, dtype=np.uint8) for at, color in men.items()}


def test_a_tall_man_has_the_color_that_is_seen_upright() -> None:
    """From above his side hides him: there he looks like one of the others."""
    men = {at: GREEN for at in WHITE_AT} | {at: BLUE for at in BLACK_AT}
    odds = {at: 1.0 for at in WHITE_AT} | {at: -1.0 for at in BLACK_AT}
    leaning = BLACK_AT[3]
    view = view_of(men | {leaning: GREEN})
    agreed = agree_on_colors(reading_of(odds), view)
    assert agreed[leaning].argmax() == SquareState.WHITE_MAN
    agreed = agree_on_colors(reading_of(odds), view, upright(men))
    assert agreed[leaning].argmax() == SquareState.BLACK_MAN


def test_men_that_look_alike_upright_are_told_apart_from_above() -> None:
    odds = {at: 0.8 for at in WHITE_AT} | {at: -0.8 for at in BLACK_AT} | {BLACK_AT[0]: 1.0}
    glaring = upright({at: (250, 250, 250) for at in WHITE_AT + BLACK_AT})
    agreed = agree_on_colors(reading_of(odds), two_colored(), glaring)
    assert states(agreed, BLACK_AT) == {SquareState.BLACK_MAN}


def test_a_glossy_man_has_the_color_of_his_darker_half() -> None:
    """A lamp that he mirrors shines in the other half."""
    men = {at: GREEN for at in WHITE_AT} | {at: BLUE for at in BLACK_AT}
    seen = upright(men)
    seen[BLACK_AT[0]] = np.array([BLUE] * 5 + [(250, 250, 250)] * 4, dtype=np.uint8)
    is_man = np.zeros((SIZE, SIZE), dtype=bool)
    for at in men:
        is_man[at] = True
    _, colors = colors_of_men(view_of(men), is_man, ~is_man, seen)
    order = [tuple(at) for at in np.argwhere(is_man).tolist()]
    glossy, plain = (colors[order.index(at)] for at in (BLACK_AT[0], BLACK_AT[1]))
    np.testing.assert_allclose(glossy, plain, atol=1.0)


def test_a_man_between_the_two_colors_is_left_to_the_network() -> None:
    odds = {at: 3.0 for at in WHITE_AT} | {at: -3.0 for at in BLACK_AT} | {BLACK_AT[0]: -0.5}
    between = (108, 123, 32)
    men = {at: GREEN for at in WHITE_AT} | {at: BLUE for at in BLACK_AT} | {BLACK_AT[0]: between}
    agreed = agree_on_colors(reading_of(odds), view_of(men))
    assert states(agreed, BLACK_AT) == {SquareState.BLACK_MAN}
