"""The PDN corpus of the shared folder replays with no stop but the known faults of its files."""

import json
from pathlib import Path

import pytest

from rules import PdnGame, Position, Variant, decode_pdn, parse_fen, perft, read_pdn

pytestmark = pytest.mark.shared

KNOWN_STOPS = {
    ("Campionato Assoluto 2005.pdn", "3x26"),
    ("Cat.C1.pdn", "36x27"),
    ("PROF2.pdn", "38x33"),
    ("Tricks traps and shots.pdn", "10x26"),
    ("Tricks traps and shots.pdn", "32x7"),
    ("schildpad.pdn", "36x16"),
    ("schildpad.pdn", "4x24"),
}
"""Typing errors and captures that are written too short to be clear."""

PLIES = {
    Variant.INTERNATIONAL: 23_700,
    Variant.ENGLISH: 9_000,
    Variant.RUSSIAN: 10_000,
    Variant.CZECH: 10_000,
    Variant.ITALIAN: 3_200,
}
"""At least so many plies are replayed of each game."""


@pytest.fixture
def files(shared: Path) -> dict[str, tuple[PdnGame, ...]]:
    paths = sorted((shared / "pdn" / "wiegerw-pdn" / "games").glob("*/*.pdn"))
    return {path.name: read_pdn(decode_pdn(path.read_bytes())) for path in paths}


def test_the_corpus_replays(files: dict[str, tuple[PdnGame, ...]]) -> None:
    assert sum(len(games) for games in files.values()) == 2275
    stops = {
        (name, fault.text)
        for name, games in files.items()
        for game in games
        for fault in game.faults
        if fault.text not in (".", "}")
    }
    assert stops == KNOWN_STOPS
    played = dict.fromkeys(Variant, 0)
    for games in files.values():
        for game in games:
            played[game.game.variant] += game.game.ply
    for variant, least in PLIES.items():
        assert played[variant] >= least, (variant, played)
    assert sum(played.values()) >= 61_300
    assert [game.result for game in files["delfts.pdn"]] == ["4-6", "1-9"]


def test_the_tables_of_perft_hold(shared: Path) -> None:
    tables = json.loads((shared / "reference" / "perft.json").read_text())["tables"]
    checked = 0
    for table in tables:
        known = {variant.value for variant in Variant}
        if table["counting"] != "drop" or table["variant"] not in known:
            continue
        variant = Variant(table["variant"])
        start = (
            Position.start(variant)
            if table["fen"] == "start"
            else parse_fen(table["fen"], variant, lenient=True)
        )
        for depth, count in enumerate(table["computed_here"], 1):
            if count > 20_000:
                break
            assert perft(start, depth) == count, (table["variant"], table["position"], depth)
            checked += 1
    assert checked > 50
