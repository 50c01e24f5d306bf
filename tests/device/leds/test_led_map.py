import json
from pathlib import Path

import pytest

from device import DeviceError
from device.leds import LedMap, Rgb, limit_current, load_led_map
from rules import Square, Variant

RED = Rgb(255, 0, 0)


def led(led_map: LedMap, square: int) -> int:
    (lamp,) = led_map.squares[Square(square)]
    return lamp


def test_the_default_map_is_row_by_row_from_the_far_left() -> None:
    led_map = LedMap.grid()
    assert led_map.count == 100
    assert [led(led_map, square) for square in (1, 5, 6, 46, 50)] == [1, 9, 10, 90, 98]


@pytest.mark.parametrize(
    ("first", "by", "expected"),
    [
        ("far-left", "rows", (1, 19, 91)),
        ("far-right", "rows", (8, 10, 98)),
        ("near-left", "rows", (98, 80, 8)),
        ("near-right", "rows", (91, 89, 1)),
        ("far-left", "columns", (19, 1, 89)),
        ("near-right", "columns", (89, 91, 19)),
    ],
)
def test_serpentine_strips_begin_at_any_corner(
    first: str, by: str, expected: tuple[int, int, int]
) -> None:
    led_map = LedMap.grid(first=first, by=by, serpentine=True)
    assert (led(led_map, 1), led(led_map, 6), led(led_map, 50)) == expected


@pytest.mark.parametrize("first", ["far-left", "far-right", "near-left", "near-right"])
@pytest.mark.parametrize("by", ["rows", "columns"])
@pytest.mark.parametrize("serpentine", [False, True])
def test_fifty_lamps_are_the_dark_squares_of_a_hundred(
    first: str, by: str, serpentine: bool
) -> None:
    hundred = LedMap.grid(first=first, by=by, serpentine=serpentine)
    fifty = LedMap.grid(count=50, first=first, by=by, serpentine=serpentine)
    order = sorted(hundred.squares, key=lambda square: led(hundred, square))
    assert [led(fifty, square) for square in order] == list(range(50))


@pytest.mark.parametrize(("variant", "count"), [(Variant.CANADIAN, 144), (Variant.ENGLISH, 64)])
def test_other_boards_have_other_counts(variant: Variant, count: int) -> None:
    led_map = LedMap.grid(variant)
    assert (led_map.count, led_map.square_count) == (count, count // 2)


def test_maps_are_read_from_json_and_toml(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"count": 50, "first": "near-right", "serpentine": true}')
    (tmp_path / "b.toml").write_text("count = 60\n[squares]\n1 = [0, 1]\n2 = 59\n")
    assert load_led_map(tmp_path / "a.json") == LedMap.grid(
        count=50, first="near-right", serpentine=True
    )
    assert load_led_map(tmp_path / "b.toml").squares == {1: (0, 1), 2: (59,)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "neither JSON nor TOML"),
        ("[1]", "one table"),
        ('{"count": 7}', "100 or 50"),
        ('{"first": "left"}', "begins at"),
        ('{"variant": "chess"}', "chess"),
        ('{"squares": {"51": [0]}}', "squares are 1-50"),
        ('{"squares": {"1": [0], "2": [0]}}', "under both"),
        ('{"squares": {"1": [7]}, "count": 5}', "lamps are 0-4"),
        ('{"squares": {"1": [null]}}', "map"),
        ('{"squares": 5}', "map"),
        ('{"squares": {"1": [9999]}}', "1-4096"),
    ],
)
def test_what_is_no_map_is_an_error_of_one_sentence(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(text)
    with pytest.raises(DeviceError, match=reason):
        load_led_map(path)


def test_a_missing_map_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="cannot be read"):
        load_led_map(tmp_path / "none.json")


def test_every_square_of_a_json_map_is_kept(tmp_path: Path) -> None:
    squares = {str(square): [square - 1] for square in range(1, 51)}
    (tmp_path / "a.json").write_text(json.dumps({"squares": squares}))
    led_map = load_led_map(tmp_path / "a.json")
    pixels = led_map.pixels({Square(33): RED})
    assert led_map.count == 50
    assert [index for index, rgb in enumerate(pixels) if rgb == RED] == [32]


def test_current_stays_below_what_the_supply_gives() -> None:
    white = (Rgb(255, 255, 255),) * 100
    limited = limit_current(white, brightness=1.0, limit_ma=500)
    assert 390 < sum(map(sum, limited)) / 255 * 20.0 <= 400
    dim = limit_current((RED, *[Rgb(0, 0, 0)] * 99), brightness=0.5, limit_ma=500)
    assert dim[0] == Rgb(127, 0, 0)
    assert limit_current(white, brightness=1.0, limit_ma=50)[0] == Rgb(0, 0, 0)
