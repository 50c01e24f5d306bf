"""Feeds are parted where a relay parts them, in time that grows with their length."""

import random
import re

import pytest

from damcam.game.feed_split import split_feed

RELAY = re.compile(r"\n\s*\n(?=\[)")
"""How relays do it; the time that takes grows with the square of a run of blank lines."""

PIECES = ("[A]", "[", "1. 32-28", "\n", "\n\n", "\n \n", " ", "\t", "*")


@pytest.mark.parametrize("seed", range(40))
def test_games_are_those_of_a_relay(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choices(PIECES, k=12))
    parted = [part.strip() for part in RELAY.split(text) if part.strip()]
    assert [game for _, game in split_feed(text)] == parted


def test_lines_are_counted_in_the_whole_text() -> None:
    text = '\r\n\r\n[White "A"]\r\n1. 32-28 *\r\n \r\n\r\n[White "B"]\r\n*'
    assert [(line, game[:10]) for line, game in split_feed(text)] == [
        (3, '[White "A"'),
        (7, '[White "B"'),
    ]


def test_a_feed_without_games_has_none() -> None:
    assert split_feed("") == split_feed("\n \n\n") == []


def test_a_million_blank_lines_are_read_in_one_go() -> None:
    assert split_feed("[A]" + "\n" * 1_000_000 + "[B]") == [(1, "[A]"), (1_000_001, "[B]")]
