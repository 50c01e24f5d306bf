"""Real photos and a real film of boards that nothing was trained on."""

from pathlib import Path

import pytest

from damcam.reading.scoring import read_labels, score_reading
from device import VideoFile, load_picture
from rules import Variant, move_text, parse_fen
from vision import BoardReader, Follower

EVERY = 3
"""Frames of the film that are looked at: 50 a second are more than a game needs."""


@pytest.mark.shared
def test_photos_of_other_boards_are_located_and_read(shared: Path) -> None:
    reader, folder = BoardReader(), shared / "real"
    scores = [
        score_reading(label, reader.read(load_picture(folder / label.file)))
        for label in read_labels(folder / "labels.jsonl", split="val")[::4]
    ]
    located = sum(score.is_located for score in scores)
    squares = sum(score.squares for score in scores)
    assert located / len(scores) >= 0.95
    assert sum(score.squares_right for score in scores) / squares >= 0.95


@pytest.mark.shared
def test_real_game_is_followed_from_its_film(shared: Path) -> None:
    film = VideoFile(shared / "real" / "sequences" / "cocohrip_1.mp4")
    start = parse_fen("W:W21-32:B1-12", Variant.ENGLISH)
    reader, follower = BoardReader(), Follower(Variant.ENGLISH, start=start)
    for frame in film:
        if frame.index % EVERY == 0:
            reading = reader.track(frame.bgr, frame.at_ms)
            if reading is not None:
                follower.update(reading)
    game = follower.game
    moves = [
        move_text(move, position)
        for move, position in zip(game.moves, game.positions, strict=False)
    ]
    assert moves[:5] == ["24-20", "12-16", "22-18", "10-15", "23-19"]
