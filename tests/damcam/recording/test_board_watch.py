import numpy as np

from damcam.recording.board_watch import REST_MS, BoardWatch
from vision import BoardFound, BoardLost, BoardMoved, BoardPose, Reading

SQUARE_PX = 40.0


def reading_at(shift_squares: float, at_ms: int) -> Reading:
    shift = shift_squares * SQUARE_PX
    pose = BoardPose(
        size=8,
        image_from_board=np.array([[SQUARE_PX, 0, shift], [0, SQUARE_PX, 0], [0, 0, 1.0]]),
        distortion=(0.0, 320.0, 240.0),
        width=640,
        height=480,
        error_px=0.5,
        white_side="bottom",
        white_side_certain=True,
        placed_correctly=True,
    )
    log = np.full((8, 8, 6), np.log(1 / 6), dtype=np.float32)
    return Reading(at_ms=at_ms, pose=pose, log_probabilities=log)


def watched(shifts: list[float], step_ms: int = 100) -> list[object]:
    watch = BoardWatch()
    return [
        event
        for number, shift in enumerate(shifts)
        for event in watch.update(reading_at(shift, number * step_ms), number * step_ms)
    ]


def test_bump_is_told_once_when_the_board_rests() -> None:
    events = watched([0.0] * 5 + [1.0] * 10)
    assert [type(event) for event in events] == [BoardFound, BoardMoved]
    moved = events[1]
    assert isinstance(moved, BoardMoved)
    assert (moved.at_ms, moved.seen_ms) == (500, 500 + REST_MS)


def test_camera_that_keeps_moving_is_told_when_it_stops() -> None:
    events = watched([0.3 * step for step in range(20)] + [6.0] * 8)
    assert [type(event) for event in events] == [BoardFound, BoardMoved]


def test_jitter_and_a_return_are_no_move() -> None:
    assert len(watched([0.0, 0.1, -0.1] * 10)) == 1
    assert len(watched([0.0] * 3 + [0.6] * 3 + [0.0] * 10)) == 1


def test_missing_board_is_lost_and_found_again() -> None:
    watch = BoardWatch()
    watch.update(reading_at(0.0, 0), 0)
    assert watch.update(None, 1000) == ()
    assert [type(event) for event in watch.update(None, 4000)] == [BoardLost]
    assert watch.update(None, 5000) == ()
    assert [type(event) for event in watch.update(reading_at(0.0, 6000), 6000)] == [BoardFound]
