from itertools import pairwise

import pytest

from device.leds import LOOKS, LightKind, LightPattern, Rgb, Rhythm, ScreenLights, colors_at
from rules import Square


def lit(pattern: LightPattern, elapsed_ms: int) -> dict[Square, Rgb]:
    return colors_at(pattern, elapsed_ms, square_count=50, row_squares=5)


def brightness(kind: LightKind) -> str:
    """Return the rhythm of a square over one second as text."""
    pattern = LightPattern.of(kind, [Square(7)])
    levels = [max(lit(pattern, 125 * step)[Square(7)]) for step in range(8)]
    return "".join("#" if level > 128 else "." for level in levels)


def test_meanings_that_appear_together_differ_without_color() -> None:
    kinds = (
        LightKind.IRREGULAR,
        LightKind.CAPTURE_DUE,
        LightKind.PUT_BACK,
        LightKind.CROWN_MISSING,
    )
    rhythms = {brightness(kind) for kind in kinds}
    assert rhythms == {"#.#.....", "####....", "########", "#######."}


@pytest.mark.parametrize("kind", [k for k in LightKind if LOOKS[k].rhythm is not Rhythm.WALK])
def test_marked_squares_can_be_seen_at_any_moment(kind: LightKind) -> None:
    pattern = LightPattern.of(kind, [Square(1), Square(50)])
    for elapsed_ms in range(0, 3000, 25):
        colors = lit(pattern, elapsed_ms)
        assert set(colors) == {1, 50}
        assert all(max(rgb) >= 30 for rgb in colors.values())
    assert lit(pattern, 0)[Square(1)] == LOOKS[kind].rgb


def test_the_later_mark_wins() -> None:
    pattern = LightPattern.of(LightKind.IRREGULAR, [Square(3)]).marked(
        LightKind.PUT_BACK, [Square(3), Square(4)]
    )
    assert lit(pattern, 0) == {3: Rgb(0, 255, 0), 4: Rgb(0, 255, 0)}


def test_a_lost_board_lights_its_corners() -> None:
    assert set(lit(LightPattern.of(LightKind.BOARD_LOST), 0)) == {1, 5, 46, 50}


def test_the_self_test_walks_over_every_square() -> None:
    pattern = LightPattern.of(LightKind.SELF_TEST)
    walked = [tuple(lit(pattern, 125 * step)) for step in range(50)]
    assert walked == [(square,) for square in range(1, 51)]
    assert all(later != earlier for earlier, later in pairwise(walked))


def test_the_dark_pattern_lights_nothing() -> None:
    assert LightPattern().is_dark
    assert lit(LightPattern(), 0) == {}
    assert lit(LightPattern.of(LightKind.IRREGULAR), 0) == {}


def test_the_screen_tells_each_change_once() -> None:
    lines: list[str] = []
    lights = ScreenLights(lines.append)
    pattern = LightPattern.of(LightKind.IRREGULAR, [Square(19), Square(24)])
    for shown in (pattern, pattern, LightPattern()):
        lights.show(shown)
    lights.close()
    assert lines == ["lights: irregular 19 24 (double blink)\n", "lights: dark\n"]
