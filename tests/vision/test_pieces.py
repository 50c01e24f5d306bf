"""The second opinion on single squares."""

import numpy as np
import pytest
from numpy.typing import NDArray

from models import ModelError, load
from models.scenes.camera import ViewPoint, projection
from vision.finding.lattice import LatticeFit
from vision.reading import SquareState
from vision.squares.pieces import FRESH_SQUARES, PieceReader, doubtful, together
from vision.squares.upright import Views, upright_crops

SIZE = 8


@pytest.fixture(scope="module")
def reader() -> PieceReader:
    return PieceReader(load("pieces"))


@pytest.fixture
def fit() -> LatticeFit:
    view = ViewPoint(
        width=640,
        height=480,
        elevation_deg=50,
        azimuth_deg=10,
        roll_deg=0,
        focal_px=700,
        distance=14,
    )
    return LatticeFit(
        size=SIZE,
        image_from_board=projection(view, SIZE)[:, [0, 1, 3]],
        distortion=(0.0, 320.0, 240.0),
        width=640,
        height=480,
        error_px=0.1,
        evidence=1.0,
        inliers=49,
    )


@pytest.fixture
def picture() -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)


def read_as(states: dict[tuple[int, int], SquareState], sure: float = 0.999) -> np.ndarray:
    read = np.full((SIZE, SIZE, 6), (1 - sure) / 5)
    for row in range(SIZE):
        for column in range(SIZE):
            read[row, column, states.get((row, column), SquareState.EMPTY)] = sure
    return np.asarray(np.log(read), np.float32)


MEN = {(0, 1): SquareState.BLACK_MAN, (4, 3): SquareState.WHITE_KING, (6, 5): SquareState.WHITE_MAN}


def test_pieces_and_unclear_squares_are_looked_at() -> None:
    read = read_as(MEN)
    read[2, 2] = np.log([0.9, 0.02, 0.02, 0.02, 0.02, 0.02])
    assert doubtful(read) == [(0, 1), (2, 2), (4, 3), (6, 5)]


def test_the_result_is_a_distribution_on_every_square(
    reader: PieceReader, picture: NDArray[np.uint8], fit: LatticeFit
) -> None:
    for told in (
        reader.read(picture, fit, read_as(MEN)),
        reader.follow(picture, fit, read_as(MEN)),
    ):
        assert np.allclose(np.exp(told).sum(axis=-1), 1.0, atol=1e-4)


def test_clear_empty_squares_are_left_alone(
    reader: PieceReader, picture: NDArray[np.uint8], fit: LatticeFit
) -> None:
    read = read_as(MEN)
    told = reader.read(picture, fit, read)
    others = np.ones((SIZE, SIZE), dtype=bool)
    others[tuple(np.array([*MEN]).T)] = False
    assert np.array_equal(told[others], read[others])


def test_both_opinions_count() -> None:
    read = read_as({(3, 3): SquareState.WHITE_MAN}, sure=0.8)
    white_man = np.array([[-2.0, 3.0, -2.0, -4.0, -5.0]], dtype=np.float32)
    black_king = np.array([[-9.0, -9.0, 9.0, -9.0, 8.0]], dtype=np.float32)
    surer = together(read, [(3, 3)], white_man)[3, 3]
    other = together(read, [(3, 3)], black_king)[3, 3]
    assert surer.argmax() == SquareState.WHITE_MAN
    assert surer[SquareState.WHITE_MAN] > read[3, 3, SquareState.WHITE_MAN]
    assert other.argmax() == SquareState.BLACK_KING


def test_a_film_is_looked_at_a_little_at_a_time(
    reader: PieceReader,
    picture: NDArray[np.uint8],
    fit: LatticeFit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[list[list[float]]] = []

    def counted(
        bgr: NDArray[np.uint8], pose: LatticeFit, places: NDArray[np.float64]
    ) -> tuple[NDArray[np.uint8], Views]:
        looked.append(places.tolist())
        return upright_crops(bgr, pose, places)

    monkeypatch.setattr("vision.squares.pieces.upright_crops", counted)
    men = {(row, column): SquareState.WHITE_MAN for row in range(3) for column in range(SIZE)}
    reader.forget()
    for _ in range(8):
        reader.follow(picture, fit, read_as(men))
    assert [len(places) for places in looked] == [24] + [FRESH_SQUARES] * 7
    assert len({tuple(place) for places in looked[1:7] for place in places}) == 24
    men[5, 2] = men.pop((2, 2))
    reader.follow(picture, fit, read_as(men))
    assert looked[-1][0] == [2.5, 5.5]


def test_an_empty_board_needs_no_second_look(
    reader: PieceReader, picture: NDArray[np.uint8], fit: LatticeFit
) -> None:
    read = read_as({})
    assert reader.read(picture, fit, read) is read
    assert reader.follow(picture, fit, read) is read


def test_another_network_is_refused() -> None:
    with pytest.raises(ModelError, match="takes"):
        PieceReader(load("squares"))
