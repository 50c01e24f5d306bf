from random import Random

import numpy as np
import pytest

from models.scenes import (
    Disc,
    FilmSensor,
    FilmStage,
    SensorLook,
    Stage,
    ViewPoint,
    random_arm,
    random_board,
    random_light,
    random_set,
    reaching_arm,
)

VIEW = ViewPoint(
    width=320,
    height=200,
    elevation_deg=50,
    azimuth_deg=80,
    roll_deg=2,
    focal_px=300,
    distance=20,
    k1=-0.1,
)


@pytest.mark.parametrize("seed", range(4))
def test_film_stage_draws_the_pictures_of_the_stage(seed: int) -> None:
    random = Random(seed)
    board, men, light = random_board(random), random_set(random), random_light(random)
    stage = Stage(VIEW, 10, board, men, light, seed=seed)
    film = FilmStage(VIEW, 10, board, men, light, seed=seed)
    arm = reaching_arm(random_arm(random), 10, (5.0, 5.0), angle=1.4, z=0.4)
    for shift in range(3):
        discs = [
            Disc(x=x + 0.5, y=shift + 0.5, is_white=x % 2 == 0, turn=float(x)) for x in range(-9, 9)
        ]
        wanted, drawn = stage.draw(discs, arm), film.draw(discs, arm)
        difference = np.abs(wanted.bgr.astype(int) - drawn.bgr.astype(int))
        assert difference.mean() < 0.05
        assert (difference > 6).mean() < 1e-3
        assert np.array_equal(wanted.hand, drawn.hand)


def test_noise_changes_from_frame_to_frame_and_keeps_the_mean() -> None:
    look = SensorLook(blur_px=0.5, gamma=1.0, gain=1.0, noise=4.0, glare=0.0)
    sensor = FilmSensor(VIEW, look, seed=1)
    developed = sensor.develop(np.full((200, 320, 3), 120, dtype=np.uint8))
    frames = [sensor.expose(developed, index) for index in range(40)]
    assert len({frame.tobytes() for frame in frames}) == len(frames)
    assert all(abs(float(frame.mean()) - 120) < 0.5 for frame in frames)
    assert all(3 < float(frame.std()) < 7 for frame in frames)


def test_reflections_brighten_and_a_weak_lamp_darkens() -> None:
    picture = np.full((200, 320, 3), 60, dtype=np.uint8)
    plain = SensorLook(blur_px=0.0, gamma=1.0, gain=1.0, noise=0.0, glare=0.0)
    shiny = SensorLook(blur_px=0.0, gamma=1.0, gain=1.0, noise=0.0, glare=0.8)
    sensor = FilmSensor(VIEW, plain, seed=1)
    assert np.array_equal(sensor.develop(picture), picture)
    assert FilmSensor(VIEW, shiny, seed=1).develop(picture).max() > 90
    assert sensor.develop(picture, gain=0.5).max() == 30
