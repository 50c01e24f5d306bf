"""The overlay, the API's description and the feed as files."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from damcam.game.feed_lint import lint_feed
from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord
from damcam.journal.events import ClockRead, Event, WitnessesDiffered
from damcam.serve import StaticTree
from damcam.serve.board import Board
from damcam.serve.fragment import fragment_html
from damcam.serve.game_json import game_json
from damcam.serve.openapi import openapi_text
from damcam.serve.page import embed_html, overlay_html, page_html
from damcam.serve.static_tree import round_and_board, tree_files
from damcam.serve.view import View
from rules import Color, Position, Variant, to_fen
from tests.damcam.fakes import random_moves, told
from tests.damcam.records import TAGS, accepted, record_of
from vision import GameEnded

STATIC = Path(__file__).parents[2] / "damcam" / "serve" / "static"
MOST_SCRIPT = 60_000
"""Bytes, of all pages together."""

KINDS: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}
START = Position.start(Variant.INTERNATIONAL)


def boards(record: GameRecord) -> list[Board]:
    return [Board(number=1, record=record, tags=TAGS)]


def fits(value: object, schema: dict[str, Any], schemas: dict[str, Any]) -> bool:
    """Tell whether a value is what the schema says, keys that it does not name included."""
    if "$ref" in schema:
        return fits(value, schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "anyOf" in schema:
        return any(fits(value, option, schemas) for option in schema["anyOf"])
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, KINDS[name]) for name in names):
        return False
    if isinstance(value, list):
        return all(fits(item, schema["items"], schemas) for item in value)
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return value.keys() == known.keys() and all(
            fits(item, known[name], schemas) for name, item in value.items()
        )
    return True


def disputed() -> list[Event]:
    """A move whose player forgot to press, and a lone press of the opponent."""
    forgot = WitnessesDiffered(
        at_ms=3000,
        seen_ms=3000,
        kind="move without a press",
        color=Color.WHITE,
        ply=1,
        text="White moved, but did not press the clock",
    )
    lone = replace(forgot, kind="press without a move", color=Color.BLACK, ply=None)
    return [*told(random_moves(2, seed=1)), forgot, lone]


@pytest.mark.parametrize("events", [[], told(random_moves(9, seed=1)), accepted(), disputed()])
def test_state_of_the_game_is_as_described(events: list[Event]) -> None:
    schemas = json.loads(openapi_text())["components"]["schemas"]
    data = game_json(record_of(*events), TAGS)
    assert fits(json.loads(json.dumps(data)), schemas["Game"], schemas)
    assert not fits({**data, "seq": "1"}, schemas["Game"], schemas)


def test_description_refers_to_what_it_holds() -> None:
    text = openapi_text()
    document = json.loads(text)
    names = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert names <= set(document["components"]["schemas"])
    assert "/api/game" in document["paths"]


def test_tree_holds_the_game_as_live_boards_do() -> None:
    ended = GameEnded(at_ms=9000, seen_ms=9000, result="1-1", reason="agreed", clause="7.2.3")
    record = record_of(*told(random_moves(4, seed=1)), ended)
    files = tree_files(boards(record))
    assert set(files) == {
        "tournament.json",
        *(f"round-3/{name}" for name in ("index.json", "games.pdn", "game-7.pdn", "game-7.json")),
    }
    assert files["round-3/games.pdn"] == record_pdn(record, TAGS, spacious=False)
    game = json.loads(files["round-3/game-7.json"])
    assert game["moves"] == [move.move for move in record.moves]
    (pairing,) = json.loads(files["round-3/index.json"])["pairings"]
    names = {"fname": "Harm", "mname": "", "lname": "Wiersma"}
    assert pairing["white"] == names | {"title": "", "federation": "", "fideid": None}
    assert (pairing["result"], pairing["live"]) == ("1-1", False)


LIVE_BOARDS = {
    "tournament.json": "id name location country timecontrol rounds eboards",
    "round-3/index.json": "date pairings",
    "round-3/game-7.json": "live serialNr firstMove result comment clock moves",
}
"""The keys that readers of live boards ask for, but for what is of chess alone."""


def test_tree_has_the_keys_that_readers_of_live_boards_ask_for() -> None:
    read = ClockRead(
        at_ms=4000, seen_ms=4000, ply=4, white_ms=4_790_900, black_ms=59_999, running=Color.WHITE
    )
    files = tree_files(boards(record_of(*told(random_moves(4, seed=1)), read)), {1: 8, 2: 6})
    data = {name: json.loads(files[name]) for name in LIVE_BOARDS}
    for name, keys in LIVE_BOARDS.items():
        assert set(keys.split()) <= data[name].keys(), name
    index, game = data["round-3/index.json"], data["round-3/game-7.json"]
    assert {"white", "black", "result", "live"} <= index["pairings"][0].keys()
    assert game["clock"] == {"white": 4790, "black": 59, "time": None, "running": "white"}
    assert game["moves"][3].endswith(" 59")
    counts = [(one["count"], one["live"]) for one in data["tournament.json"]["rounds"]]
    assert counts == [(8, 0), (6, 0), (1, 1)]


def test_tree_is_written_whole_and_only_on_change(tmp_path: Path) -> None:
    tree = StaticTree(tmp_path / "site")
    record = record_of(*told(random_moves(4, seed=1)))
    tree.write(boards(record))
    paths = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(paths) == 5
    before = {path: path.stat().st_mtime_ns for path in paths}
    tree.write(boards(record))
    assert {path: path.stat().st_mtime_ns for path in paths} == before
    tree.write(boards(record_of(*told(random_moves(5, seed=1)))))
    changed = {path.name for path in paths if path.stat().st_mtime_ns != before[path]}
    assert changed == {"games.pdn", "game-7.pdn", "game-7.json"}


def test_tree_that_cannot_be_written_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "site").write_text("no folder", encoding="utf-8")
    tree = StaticTree(tmp_path / "site")
    tree.write(boards(GameRecord()))
    tree.write(boards(GameRecord()))
    assert caplog.text.count("cannot be written") == 1
    (tmp_path / "site").unlink()
    tree.write(boards(GameRecord()))
    assert (tmp_path / "site" / "tournament.json").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", (3, 1)),
        ("3.7", (3, 7)),
        ("", (1, 1)),
        ("final", (1, 1)),
        ("0", (1, 1)),
        ("0.0", (1, 1)),
    ],
)
def test_round_and_board(text: str, expected: tuple[int, int]) -> None:
    assert round_and_board(text) == expected


def test_a_round_called_0_is_the_first_of_the_tree() -> None:
    files = tree_files([Board(number=1, record=GameRecord(), tags=TAGS | {"Round": "0"})])
    assert json.loads(files["tournament.json"])["rounds"] == [{"round": 1, "count": 1, "live": 1}]
    assert {"round-1/index.json", "round-1/game-1.json"} <= files.keys()


def test_an_accepted_irregularity_keeps_the_feed_alive() -> None:
    record = record_of(*accepted())
    text = record_pdn(record, TAGS, spacious=False)
    assert [one for one in lint_feed(text.encode()) if one.severity == "error"] == []
    assert len(record.moves) == 6
    for move in record.moves:
        assert move.move in text


def test_pages_tell_where_lever_and_camera_differ() -> None:
    page = page_html(View(record=record_of(*disputed()), tags=TAGS))
    assert "<h2>Clock and camera</h2>" in page
    assert "<li>White: moved, but did not press the clock</li>" in page
    assert "<li>Black: pressed the clock, but made no move</li>" in page
    assert "Clock and camera" not in page_html(View(record=record_of(*accepted()), tags=TAGS))


def test_pages_hold_no_inline_script_or_style() -> None:
    record = record_of(*accepted())
    view = View(record=record, tags=TAGS, is_flipped=True)
    pages = [page_html(view), overlay_html(view), embed_html(view)]
    for page in pages:
        assert not re.search(r"<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", page)
    assert sum(path.stat().st_size for path in STATIC.glob("*.js")) < 60_000


def test_all_scripts_together_are_small() -> None:
    scripts = [*STATIC.glob("*.js"), *(STATIC.parents[1] / "hall" / "static").glob("*.js")]
    assert len(scripts) > 3
    assert sum(path.stat().st_size for path in scripts) < MOST_SCRIPT


def test_board_is_told_square_by_square_from_the_side_that_is_seen() -> None:
    record = record_of(*told(random_moves(0, seed=1)))
    told_squares = [
        re.findall(
            r"<td[^>]*>(\d+ [a-z ]+)</td>",
            fragment_html(View(record=record, tags=TAGS, is_flipped=flip)),
        )
        for flip in (False, True)
    ]
    assert told_squares[0] == told_squares[1][::-1]
    assert told_squares[0][0] == "1 black man"
    assert told_squares[0][30] == "31 white man"
    assert told_squares[0][24] == "25 empty"
    assert to_fen(START) == record.fen
