import numpy as np

from models import load
from models.scenes.scenes import LabelledPicture, random_picture
from rules import Color, Position, Variant
from vision import BoardReader, Reading, SquareState
from vision.network import Network
from vision.squares.one_look import OneLook, take_look

SIZE, NUMBERS = 10, 12
START = Position.start(Variant.INTERNATIONAL)
LETTERS = ".wWbB?"
PLAYED = np.indices((SIZE, SIZE)).sum(axis=0) % 2 == 1
HELDOUT_LOOKS = {
    "boards": ("sand-olive", "beech-mahogany", "yellow-brown"),
    "sets": ("yellow-green", "natural-mahogany", "ivory-darkbrown"),
}
START_SEED = 900_055
"""A scene with a starting position of ten rows."""


def contents(grid: tuple[str, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    return np.array([[LETTERS.index(letter) for letter in row] for row in grid], dtype=np.intp)


def log_probabilities(
    states: np.ndarray[tuple[int, ...], np.dtype[np.intp]], sure: float = 0.999
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    read = np.full((*states.shape, 6), (1 - sure) / 5, dtype=np.float32)
    np.put_along_axis(read, states[..., None], sure, axis=-1)
    return np.log(read)


def embeddings(
    states: np.ndarray[tuple[int, ...], np.dtype[np.intp]], *, noise: float = 0.3, seed: int = 0
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return numbers by which squares of the same contents look alike, kings like nothing else."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(99).normal(0, 3, (6, NUMBERS))
    kinds = np.where((states == SquareState.EMPTY) & ~PLAYED, 5, states)
    found = centres[kinds] + random.normal(0, noise, (*states.shape, NUMBERS))
    return found.astype(np.float32)


def learned(noise: float = 0.3) -> OneLook | None:
    states = contents(START.grid())
    return take_look(embeddings(states, noise=noise), log_probabilities(states), states, PLAYED)


def test_square_that_looks_like_the_sets_men_is_one() -> None:
    look = learned()
    assert look is not None
    states = contents(START.grid())
    read = log_probabilities(states)
    read[6, 1] = np.log([0.5, 0.3, 0.01, 0.17, 0.01, 0.01])
    now = look.adapted(embeddings(states, seed=1), read)
    assert (now.argmax(axis=-1) == states).all()
    assert np.allclose(np.exp(now).sum(axis=-1), 1.0, atol=1e-4)


def test_what_looks_like_a_man_of_the_look_is_no_king() -> None:
    look = learned()
    assert look is not None
    states = contents(START.grid())
    read = log_probabilities(states)
    read[6, 1] = np.log([0.01, 0.35, 0.6, 0.02, 0.01, 0.01])
    kings = states.copy()
    kings[6, 1] = SquareState.WHITE_KING
    as_man = look.adapted(embeddings(states, seed=1), read)[6, 1]
    as_king = look.adapted(embeddings(kings, seed=1), read)[6, 1]
    assert as_man.argmax() == SquareState.WHITE_MAN
    assert as_king.argmax() == SquareState.WHITE_KING


def test_hidden_squares_stay_hidden_unless_they_look_as_they_did() -> None:
    look = learned()
    assert look is not None
    states = contents(START.grid())
    covered = states.copy()
    covered[6:8] = SquareState.HIDDEN
    numbers = embeddings(states)
    behind_a_hand = numbers + np.where(covered == SquareState.HIDDEN, 5.0, 0.0)[..., None]
    read = log_probabilities(covered, 0.8)
    hand = look.adapted(behind_a_hand.astype(np.float32), read)
    assert (hand[6:8].argmax(axis=-1) == SquareState.HIDDEN).all()
    glare = look.adapted(numbers, read)
    assert (glare[6:8].argmax(axis=-1) == states[6:8]).mean() > 0.7


def test_squares_that_cannot_be_told_apart_teach_nothing() -> None:
    assert learned(noise=20.0) is None


def test_another_position_than_was_said_teaches_nothing() -> None:
    states = contents(START.grid())
    stands = np.rot90(states, 2)
    numbers = embeddings(stands)
    numbers[2:5] = numbers[5:8]
    assert take_look(numbers, log_probabilities(stands), states, PLAYED) is None


def test_few_men_teach_nothing() -> None:
    grid = (*["." * SIZE] * (SIZE - 1), START.grid()[-1])
    states = contents(grid)
    assert take_look(embeddings(states), log_probabilities(states), states, PLAYED) is None


def test_prototypes_that_read_worse_than_the_network_are_not_used() -> None:
    states = contents(START.grid())
    numbers = embeddings(states)
    numbers[9, 0], numbers[9, 2] = numbers[4, 1], numbers[4, 3]
    look = take_look(numbers, log_probabilities(states), states, PLAYED)
    assert look is not None
    assert look.says == 0.0


def test_network_says_the_same_with_its_embeddings() -> None:
    network = Network(load("squares"))
    view = np.random.default_rng(3).integers(0, 255, (288, 288, 3)).astype(np.uint8)
    logits, numbers = network.logits_and_embeddings(view)
    assert np.array_equal(logits, network.logits(view))
    assert numbers.shape[:2] == (SIZE, SIZE)


def read_start(reader: BoardReader) -> tuple[LabelledPicture, Reading]:
    truth = random_picture(START_SEED, **HELDOUT_LOOKS)
    reading = reader.read(truth.bgr)
    assert reading is not None
    return truth, reading


def test_reader_learns_from_the_board_that_it_read_last() -> None:
    reader = BoardReader()
    assert reader.learn(START) is None
    truth, before = read_start(reader)
    look = reader.learn(START)
    assert look is not None
    assert look.says > 0
    after = read_start(reader)[1]
    assert after.grid == truth.grid == before.grid
    assert not np.array_equal(after.log_probabilities, before.log_probabilities)
    reader.forget()
    assert np.array_equal(read_start(reader)[1].log_probabilities, before.log_probabilities)


def test_reader_learns_nothing_from_a_position_that_does_not_stand() -> None:
    reader = BoardReader()
    read_start(reader)
    few = Position.from_grid(Variant.INTERNATIONAL, Color.WHITE, START.grid()[:4] + ("." * 10,) * 6)
    assert reader.learn(few) is None
    assert reader.learn(Position.start(Variant.ENGLISH)) is None
    moved = START.grid()
    shifted = (*moved[:3], *moved[4:6], moved[5], *moved[6:])
    wrong = Position.from_grid(
        Variant.INTERNATIONAL,
        Color.WHITE,
        tuple(
            "".join(letter if (row + column) % 2 else "." for column, letter in enumerate(line))
            for row, line in enumerate(shifted)
        ),
    )
    assert reader.learn(wrong) is None
