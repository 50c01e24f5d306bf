"""The reference items of the shared folder: moves, draws, irregularities, texts, messages."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import (
    Color,
    Game,
    InvalidFenError,
    Move,
    PlayedMove,
    Position,
    Variant,
    draw_profile,
    dxp_text,
    hub_position,
    legal_moves,
    move_text,
    parse_dxp,
    parse_fen,
    parse_hub,
    parse_hub_position,
    parse_move,
    to_fen,
)

pytestmark = pytest.mark.shared

Item = dict[str, Any]


@pytest.fixture
def items(shared: Path) -> list[Item]:
    text = (shared / "reference" / "rule_tests.json").read_text(encoding="utf-8")
    known = {variant.value for variant in Variant}
    return [item for item in json.loads(text) if item.get("variant", "international") in known]


def of_kind(items: list[Item], kind: str) -> list[Item]:
    found = [item for item in items if item["kind"] == kind]
    assert found
    return found


def position_of(item: Item) -> Position:
    variant = Variant(item["variant"])
    if item["fen"] == "start":
        return Position.start(variant)
    return parse_fen(item["fen"], variant, lenient=True)


def path_of(move: Move) -> str:
    text = ("x" if move.captured else "-").join(str(square) for square in move.path)
    return f"{text}=K" if move.crowns else text


def test_legal_moves_are_exactly_the_listed_ones(items: list[Item]) -> None:
    for item in of_kind(items, "legal_moves"):
        position = position_of(item)
        moves = legal_moves(position)
        assert len(moves) == item["n_legal"], item["id"]
        listed = [
            (parse_move(text.removesuffix("=K"), position), text.endswith("=K"))
            for text in item["legal_full_path"]
        ]
        assert {move for move, _ in listed} == set(moves), item["id"]
        for move, crowns in listed:
            assert move.crowns is crowns, (item["id"], path_of(move))


def test_every_listed_move_is_written_and_read_back(items: list[Item]) -> None:
    for item in of_kind(items, "legal_moves"):
        position = position_of(item)
        for move in legal_moves(position):
            assert parse_move(move_text(move, position), position) == move, item["id"]


def test_sequences_end_at_the_listed_ply(items: list[Item]) -> None:
    for item in of_kind(items, "sequence"):
        expected = item["expect"]
        game = Game.start(position_of(item), profile=draw_profile("fmjd2024"))
        ended = None
        for ply, text in enumerate(item["moves"], 1):
            game = game.after(parse_move(text, game.position))
            if game.outcome and ended is None:
                ended = (ply, game.outcome)
        assert to_fen(game.position) == to_fen(parse_fen(item["final_fen"])), item["id"]
        if "draw_at_ply" in expected:
            assert ended is not None, item["id"]
            assert ended[0] == expected["draw_at_ply"], item["id"]
            assert ended[1].clause == expected["rule"].split()[0], item["id"]
        elif expected.get("result") == "white wins":
            assert ended is not None
            assert (ended[0], ended[1].winner) == (expected["at_ply"], Color.WHITE), item["id"]
        else:
            assert ended is None, item["id"]


def test_the_lenient_profile_restarts_at_the_capture(items: list[Item]) -> None:
    item = next(item for item in items if item["id"] == "D01")
    game = Game.start(position_of(item), profile=draw_profile("lidraughts"))
    plies = []
    for text in item["moves"]:
        game = game.after(parse_move(text, game.position))
        plies.append(game.outcome is not None)
    assert plies.index(True) + 1 == item["expect"]["lenient_profile(lidraughts)"]


def test_fens_are_accepted_or_refused_as_listed(items: list[Item]) -> None:
    for item in of_kind(items, "fen"):
        letters = any(letter in item["text"] for letter in "acde")
        variant = Variant.RUSSIAN if letters else Variant.INTERNATIONAL
        # N14 is well-formed; that its men stand on the far row is another matter.
        lenient = item["id"] == "N14"
        if item["accept"]:
            position = parse_fen(item["text"], variant, lenient=lenient)
            if item["normal_form"]:
                assert to_fen(position) == item["normal_form"], item["id"]
        else:
            with pytest.raises(InvalidFenError):
                parse_fen(item["text"], variant)


def test_dxp_messages_are_read_and_written_back(items: list[Item]) -> None:
    for item in of_kind(items, "dxp"):
        message = parse_dxp(item["text"])
        assert dxp_text(message) == item["text"], item["id"]
    move = parse_dxp("M001205250422122320")
    assert isinstance(move, PlayedMove)
    assert (move.seconds, move.start, move.end) == (12, 5, 25)
    assert move.captured == (22, 12, 23, 20)


def test_hub_positions_are_read_and_written_back(items: list[Item]) -> None:
    first, second = of_kind(items, "hub")
    text = parse_hub(first["text"]).value("pos")
    assert text is not None
    position = parse_hub_position(text)
    assert to_fen(position) == first["fields"]["fen"]
    assert hub_position(position) == text
    position = parse_hub_position(second["text"])
    assert to_fen(position) == to_fen(parse_fen(second["fields"]["fen"]))
    for played in ("38-15", "5-41", "48-26"):
        position = position.after(parse_move(played, position))
    after = parse_fen(second["fields"]["fen_after_moves"])
    assert to_fen(position) == to_fen(after)
