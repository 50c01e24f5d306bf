"""Each PDN text of the shared reference items, read as its note asks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules import (
    AmbiguousMoveError,
    Color,
    PdnGame,
    Setup,
    Variant,
    legal_moves,
    move_text,
    parse_clock,
    parse_fen,
    parse_move,
    read_pdn,
)

pytestmark = pytest.mark.shared

Check = Callable[[str], None]
ONE_ROUTE = parse_fen("W:WK47:B14,19,29,31,42")


def only(text: str) -> PdnGame:
    [game] = read_pdn(text)
    return game


def texts(game: PdnGame) -> list[str]:
    return [move.text for move in game.moves]


def reads(count: int, result: str = "") -> Check:
    """Expect so many moves, all legal, and this result."""

    def check(text: str) -> None:
        game = only(text)
        assert (len(game.moves), game.game.ply, game.result) == (count, count, result)
        assert game.faults == ()

    return check


def a_move_that_begins_like_a_result(text: str) -> None:
    [game] = read_pdn(f'[FEN "W:WK1:B50"]\n{text}')
    assert (texts(game), game.game.ply, game.result) == ([text], 1, "")


def a_star_on_a_move(text: str) -> None:
    game = only(text)
    assert [move.signs for move in game.moves] == [(), ("*",), ()]
    assert game.moves[1].nags == (7,)
    [fault] = game.faults
    assert (fault.line, fault.column, fault.ply, fault.text) == (1, 10, 1, "1-6")


def strengths_in_brackets(text: str) -> None:
    game = only(text)
    assert [move.signs for move in game.moves] == [("!?",), ("!?!!!",), ()]
    assert not any(move.variations for move in game.moves)
    assert game.game.ply == 3


def nested_variations(text: str) -> None:
    game = only(text)
    assert texts(game) == ["32-28", "19-23", "28x19", "14x23"]
    [variation] = game.moves[1].variations
    assert [move.text for move in variation] == ["18-23", "38-32", "12-18"]
    assert [[move.text for move in inner] for inner in variation[1].variations] == [
        ["37-32", "23-29"]
    ]
    assert game.faults == ()


def a_comment_in_a_comment(text: str) -> None:
    game = only(text)
    assert game.game.ply == 3
    [fault] = game.faults
    assert (fault.text, fault.ply) == ("}", 3)


def a_quote_in_a_tag(text: str) -> None:
    game = only(text)
    assert game.tags["White"].endswith('"')
    assert texts(game) == ["32-28"]


def an_ellipsis(text: str) -> None:
    [game] = read_pdn(text, variant=Variant.INTERNATIONAL)
    assert game.game.initial.side_to_move is Color.BLACK
    assert texts(game) == ["7-12"]
    start = 'FEN "B:W31-50:B1-11,13-21"'
    assert read_pdn(f"[{start}]\n{text}")[0].game.ply == 1


def unknown_moves(text: str) -> None:
    game = only(f"1. 32-28 {text} 19-23")
    assert (game.game.ply, game.faults) == (1, ())
    assert [move.move is None for move in game.moves] == [False, True]


def a_setup(text: str) -> None:
    game = only(text)
    assert game.game.ply == 2
    assert isinstance(game.game.steps[-1], Setup)
    assert game.game.position.side_to_move is Color.BLACK


def both_clocks(text: str) -> None:
    times = parse_clock(only(text).moves[0].comments[0])
    assert times is not None
    assert (times.white_ms, times.black_ms, times.running) == (0, 5000, Color.BLACK)


def the_clock_of_the_mover(text: str) -> None:
    times = parse_clock(only(text).moves[0].comments[0])
    assert times is not None
    assert times.mover_ms == ((1 * 60 + 5) * 60 + 23) * 1000


def any_result(text: str) -> None:
    assert only(text).tags["Result"] == "4-6"


def the_wrong_corner(text: str) -> None:
    game = only(f"{text}\n1. 32-28 19-23")
    assert (game.game.variant, game.game.ply) == (Variant.INTERNATIONAL, 2)


def a_full_path(text: str) -> None:
    assert parse_move(text, ONE_ROUTE).captured == {42, 29, 19, 31}


def never_written(text: str) -> None:
    written = {move_text(move, ONE_ROUTE) for move in legal_moves(ONE_ROUTE)}
    assert text not in written
    assert "47x38x24x13x36" in written
    assert parse_move(text, ONE_ROUTE) in legal_moves(ONE_ROUTE)


def an_ambiguous_capture(text: str) -> None:
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_move(text, parse_fen("W:WK4:B13,20,32,37"))
    assert len(caught.value.candidates) == 2


def full_paths_where_ends_are_alike(text: str) -> None:
    position = parse_fen("W:WK1:B12,13,19,20")
    written = {move_text(move, position) for move in legal_moves(position)}
    assert written == set(text.split(" / "))
    with pytest.raises(AmbiguousMoveError):
        parse_move("1x25", position)


TEXTS: dict[str, Check] = {
    "P01": a_move_that_begins_like_a_result,
    "P02": a_star_on_a_move,
    "P03": strengths_in_brackets,
    "P04": nested_variations,
    "P05": reads(1),
    "P06": a_comment_in_a_comment,
    "P07": a_quote_in_a_tag,
    "P08": reads(2),
    "P09": reads(1, "1/2-1/2"),
    "P10": an_ellipsis,
    "P11": unknown_moves,
    "P12": reads(0, "2-0"),
    "P13": reads(2),
    "P14": a_setup,
    "P15": both_clocks,
    "P16": the_clock_of_the_mover,
    "P17": any_result,
    "P18": the_wrong_corner,
    "P19": a_full_path,
    "P20": never_written,
    "P21": never_written,
    "P22": an_ambiguous_capture,
    "P23": full_paths_where_ends_are_alike,
}


@pytest.fixture
def items(shared: Path) -> dict[str, dict[str, Any]]:
    text = (shared / "reference" / "rule_tests.json").read_text(encoding="utf-8")
    return {item["id"]: item for item in json.loads(text) if item["kind"] == "pdn_text"}


def test_every_text_is_read(items: dict[str, dict[str, Any]]) -> None:
    assert TEXTS.keys() == items.keys()


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_read_as_its_note_asks(items: dict[str, dict[str, Any]], name: str) -> None:
    TEXTS[name](items[name]["text"])
