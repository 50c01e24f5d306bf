"""Hub messages."""

import random

import pytest

from rules import (
    HubMessage,
    IllegalMoveError,
    InvalidMessageError,
    Position,
    Variant,
    hub_line,
    hub_move,
    hub_position,
    legal_moves,
    parse_fen,
    parse_hub,
    parse_hub_move,
    parse_hub_position,
)

START = Position.start(Variant.INTERNATIONAL)


def test_a_line_is_a_command_with_words_and_values() -> None:
    message = parse_hub('info depth=5 pv="32-28 19-23" mean-depth=4.5 fast note=""')
    assert message.command == "info"
    assert message.value("pv") == "32-28 19-23"
    assert message.value("mean-depth") == "4.5"
    assert message.value("note") == ""
    assert message.value("fast") is None
    assert message.has("fast")
    assert not message.has("slow")


@pytest.mark.parametrize("line", ["", "   ", "a=b", 'id name="open', 'x y="a"b', "=", '"quoted"'])
def test_what_is_no_line_is_refused(line: str) -> None:
    with pytest.raises(InvalidMessageError):
        parse_hub(line)


@pytest.mark.parametrize(
    "line", ["hub", "go think", "level move-time=0.5", 'pos pos=W moves="32-28 19-23"', 'e m="a=b"']
)
def test_lines_survive_a_round_trip(line: str) -> None:
    assert hub_line(parse_hub(line)) == line


def test_quotes_in_values_cannot_break_a_line() -> None:
    message = HubMessage(command="error", arguments=(("message", 'a "b"\nc'), ("x", "")))
    assert parse_hub(hub_line(message)).value("message") == "a 'b' c"
    assert parse_hub(hub_line(message)).value("x") == ""


def test_positions_have_one_letter_a_square() -> None:
    text = "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert hub_position(START) == text
    assert parse_hub_position(text) == START
    position = parse_fen("B:WK4,35:BK38")
    assert parse_hub_position(hub_position(position)) == position


@pytest.mark.parametrize("text", ["", "W", "X" + "e" * 50, "W" + "e" * 49, "W" + "q" * 50])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(InvalidMessageError):
        parse_hub_position(text)


@pytest.mark.parametrize("seed", range(5))
def test_moves_of_random_games_survive_a_round_trip(seed: int) -> None:
    chance = random.Random(seed)
    position = START
    for _ in range(80):
        moves = legal_moves(position)
        if not moves:
            break
        for move in moves:
            assert parse_hub_move(hub_move(move), position) == move
        position = position.after(chance.choice(moves))


def test_captured_squares_come_in_any_order() -> None:
    position = parse_fen("W:W48:B24,K31,34,K42,43")
    assert parse_hub_move("48x19x34x24x43", position) == legal_moves(position)[0]


def test_moves_that_are_none_or_not_legal_are_refused() -> None:
    with pytest.raises(InvalidMessageError):
        parse_hub_move("28x19", START)
    with pytest.raises(IllegalMoveError, match="legal: 31-26"):
        parse_hub_move("32-22", START)
