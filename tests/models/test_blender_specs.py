"""The made scenes: drawn alike from alike seeds, split by board and set, with true geometry."""

import importlib
import math
import sys

import numpy as np
import pytest

from models.scenes.blender_camera import CameraPose, board_points, corners, undistorted_radius
from models.scenes.blender_catalog import BOARDS, SETS, Split, boards_of, linear, luminance, sets_of
from models.scenes.blender_draw import draw_spec
from models.scenes.blender_labels import label_of
from models.scenes.blender_positions import dark_squares, start
from models.scenes.blender_post import bend, develop
from models.scenes.blender_props import HELD_AT, PUT_DOWN
from models.scenes.blender_specs import SceneSpec
from models.scenes.looks import ANY_COLORS

SEEDS = range(60)
SPLITS: tuple[Split, ...] = ("train", "heldout")


def overhead(k1: float) -> CameraPose:
    return CameraPose(
        width=640,
        height=480,
        focal_px=800.0,
        k1=k1,
        position=(0.0, 0.0, 20.0),
        right=(1.0, 0.0, 0.0),
        up=(0.0, 1.0, 0.0),
        forward=(0.0, 0.0, -1.0),
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_same_seed_draws_the_same_scene(seed: int) -> None:
    assert draw_spec(seed, "train") == draw_spec(seed, "train")
    assert draw_spec(seed, "train") != draw_spec(seed + 1, "train")


def test_a_wanted_size_changes_the_size_alone_of_what_was_drawn_before_it() -> None:
    assert {draw_spec(3, "train", size=size).size for size in (8, 10, 12)} == {8, 10, 12}


def test_held_out_boards_and_sets_are_in_no_training_scene() -> None:
    assert (len(boards_of("heldout")), len(sets_of("heldout"))) == (6, 4)
    assert (len(boards_of("train")), len(sets_of("train"))) == (18, 12)
    for split in SPLITS:
        free = {"free", ANY_COLORS} if split == "train" else set()
        boards = {board.id for board in boards_of(split)} | free
        sets = {style.id for style in sets_of(split)} | free
        specs = [draw_spec(seed, split) for seed in SEEDS]
        assert {spec.board.id for spec in specs} <= boards
        assert {spec.men.id for spec in specs} <= sets
    assert len({board.id for board in BOARDS}) == len(BOARDS)
    assert len({style.id for style in SETS}) == len(SETS)


def test_white_is_the_lighter_colour_of_every_set() -> None:
    for style in SETS:
        assert luminance(linear(style.white)) > 2 * luminance(linear(style.black)), style.id


@pytest.mark.parametrize("split", SPLITS)
def test_white_stays_the_lighter_colour_in_drawn_scenes(split: Split) -> None:
    for seed in SEEDS:
        men = draw_spec(seed, split).men
        assert men.id == ANY_COLORS or luminance(men.white) > 1.15 * luminance(men.black), seed


@pytest.mark.parametrize("seed", SEEDS)
def test_the_board_is_in_the_picture_and_large_enough(seed: int) -> None:
    spec = draw_spec(seed, "train")
    outline = np.array(label_of(spec, spec.grid)["corners"])
    assert (outline >= 0).all()
    assert (outline <= np.array([spec.camera.width, spec.camera.height]) - 1).all()
    assert np.ptp(outline, axis=0).max() >= 240
    assert 24.9 <= spec.camera.elevation_deg <= 90.1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_piece_of_the_grid_stands_on_its_square(seed: int) -> None:
    spec = draw_spec(seed, "train", hand_count=0)
    found = [["." for _ in range(spec.size)] for _ in range(spec.size)]
    half = spec.size / 2
    for disc in sorted(spec.discs, key=lambda disc: disc.z):
        row, column = math.floor(half - disc.y), math.floor(disc.x + half)
        if not (0 <= row < spec.size and 0 <= column < spec.size):
            continue
        assert math.hypot(disc.x - column - 0.5 + half, disc.y + row + 0.5 - half) <= 0.31
        is_king = disc.is_marked or disc.z > 0
        found[row][column] = disc.letter.upper() if is_king else disc.letter
    assert tuple("".join(row) for row in found) == spec.grid


def test_kings_of_pegs_are_marked_and_never_stacked() -> None:
    specs = [draw_spec(seed, "train", pegs=1.0) for seed in range(40)]
    marked = [spec for spec in specs if any(disc.is_marked for disc in spec.discs)]
    assert len(marked) > 10
    for spec in marked:
        kings = sum(letter.isupper() for row in spec.grid for letter in row)
        assert kings == sum(disc.is_marked for disc in spec.discs)


def test_crowded_boards_show_many_kings_and_men_from_high_up() -> None:
    specs = [draw_spec(seed, "train", pegs=0.0, is_crowded=True) for seed in range(40)]
    for spec in specs:
        letters = "".join(spec.grid)
        assert spec.camera.elevation_deg >= 45
        assert min(letters.count(kind) for kind in "wWbB") > 0.03 * len(letters)
        assert not spec.hands


@pytest.mark.parametrize("is_crowded", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_men_on_the_board_do_not_run_into_each_other(seed: int, is_crowded: bool) -> None:
    spec = draw_spec(seed, "train", is_crowded=is_crowded)
    standing = [disc for disc in spec.discs if disc.z == 0]
    for i, one in enumerate(standing):
        for other in standing[:i]:
            assert math.hypot(one.x - other.x, one.y - other.y) > 0.99 * spec.men.diameter


def test_held_men_leave_their_square_empty_once_they_are_lifted() -> None:
    holding = [
        (spec, hand, hand.takes)
        for spec in map(lambda seed: draw_spec(seed, "train", hand_count=2), range(60))
        for hand in spec.hands
        if hand.takes is not None and len({each.takes for each in spec.hands}) == 2
    ]
    put_down = 0
    for spec, hand, (row, column) in holding:
        is_low = hand.target[2] / spec.men.height < HELD_AT + PUT_DOWN
        assert spec.grid[row][column] == (hand.holds if is_low else ".")
        put_down += is_low
    assert 10 < put_down < len(holding) - 10


def test_the_lattice_runs_from_the_far_left_as_white_sees_it() -> None:
    lattice = overhead(0.0).project(board_points(10)).reshape(11, 11, 2)
    assert lattice[0, 0] == pytest.approx([319.5 - 200, 239.5 - 200])
    assert lattice[10, 10] == pytest.approx([319.5 + 200, 239.5 + 200])
    assert lattice[0, 10] == pytest.approx([319.5 + 200, 239.5 - 200])
    near_left, near_right, far_right, far_left = corners(lattice.reshape(-1, 2), 10)
    assert near_left == pytest.approx(lattice[10, 0])
    assert near_right == pytest.approx(lattice[10, 10])
    assert far_right == pytest.approx(lattice[0, 10])
    assert far_left == pytest.approx(lattice[0, 0])


def test_white_sees_a_dark_square_at_the_near_left_of_a_board_placed_right() -> None:
    for size in (8, 10, 12):
        assert (size - 1, 0) in dark_squares(size)
        men = start(size)
        assert men[size - 1, 0] == "w"
        assert men[0, 1] == "b"
        assert len(men) == {8: 24, 10: 40, 12: 60}[size]


@pytest.mark.parametrize("k1", [-0.12, -0.05, 0.0, 0.03])
def test_distortion_can_be_undone(k1: float) -> None:
    radius = np.linspace(0, 1, 21)
    straight = undistorted_radius(radius, k1)
    assert straight * (1 + k1 * straight**2) == pytest.approx(radius, abs=1e-5)


@pytest.mark.parametrize("k1", [-0.1, 0.03])
@pytest.mark.parametrize("detail", [1.0, 0.75])
def test_a_bent_render_shows_points_where_the_label_says(k1: float, detail: float) -> None:
    pose = overhead(k1)
    straight = CameraPose(
        width=round(640 * detail),
        height=round(480 * detail),
        focal_px=800.0 * detail / pose.overscan,
        k1=0.0,
        position=pose.position,
        right=pose.right,
        up=pose.up,
        forward=pose.forward,
    )
    point = np.array([[4.0, -3.0, 0.0]])
    (x, y), (wanted_x, wanted_y) = straight.project(point)[0], pose.project(point)[0]
    rows, columns = np.mgrid[0 : straight.height, 0 : straight.width]
    spot = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 18).astype(np.float32)
    bent = bend(np.repeat(spot[..., None], 3, axis=2), pose)[..., 0]
    rows, columns = np.mgrid[0 : pose.height, 0 : pose.width]
    assert (bent * columns).sum() / bent.sum() == pytest.approx(wanted_x, abs=0.15)
    assert (bent * rows).sum() / bent.sum() == pytest.approx(wanted_y, abs=0.15)


def test_the_picture_is_developed_alike_each_time_and_within_range() -> None:
    spec = draw_spec(5, "train")
    light = np.full((spec.camera.height, spec.camera.width, 3), 0.3, dtype=np.float32)
    light[:100] = 40.0
    first, second = develop(light, spec), develop(light, spec)
    assert np.array_equal(first, second)
    assert first.min() >= 0
    assert first.max() <= 1
    assert first[:50].mean() > first[-50:].mean()


def test_labels_tell_size_split_and_conditions() -> None:
    spec = first_with("hand")
    hidden = ("?" * spec.size, *spec.grid[1:])
    label = label_of(spec, hidden)
    assert label["grid"] == list(hidden)
    assert "hidden" in label["conditions"]  # type: ignore[operator]
    assert "hidden" not in label_of(spec, spec.grid)["conditions"]  # type: ignore[operator]
    assert len(label["lattice"]) == (spec.size + 1) ** 2  # type: ignore[arg-type]
    assert (label["board_id"], label["set_id"]) == (spec.board.id, spec.men.id)


def test_conditions_to_master_all_occur() -> None:
    found = {condition for seed in range(250) for condition in draw_spec(seed, "train").conditions}
    wanted = {
        *("start", "midgame", "endgame", "scattered", "empty", "misplaced", "set_on_light"),
        *("man_on_light", "captured", "clutter", "cloth", "hand", "glare", "hard_shadow"),
        *("uneven", "colored_light", "dim", "blur", "distorted", "near_edge", "low_contrast"),
        *("numbers_squares", "numbers_border"),
    }
    assert wanted <= found


def test_drawing_scenes_needs_no_blender() -> None:
    importlib.import_module("models.scenes.blender_specs")
    assert "bpy" not in sys.modules


def first_with(condition: str) -> SceneSpec:
    return next(
        spec
        for spec in map(lambda seed: draw_spec(seed, "train"), range(100))
        if condition in spec.conditions
    )
