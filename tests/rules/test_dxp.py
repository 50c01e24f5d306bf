"""DamExchange messages."""

import random

import pytest

from rules import (
    BackAnswer,
    BackRequest,
    BadDxpMessage,
    Chat,
    Color,
    DxpDecoder,
    DxpMessage,
    GameAnswer,
    GameEnd,
    GameRequest,
    IllegalMoveError,
    InvalidMessageError,
    PlayedMove,
    Position,
    Square,
    Variant,
    dxp_move,
    dxp_text,
    encode_dxp,
    find_dxp_move,
    legal_moves,
    parse_dxp,
    parse_fen,
)

MESSAGES: tuple[DxpMessage, ...] = (
    GameRequest(name="damcam", follower=Color.BLACK, minutes=80, moves=0),
    GameRequest(
        name="damcam",
        follower=Color.WHITE,
        minutes=5,
        moves=50,
        position=parse_fen("B:WK4,35:BK38,7"),
    ),
    GameAnswer(name="x" * 32, code=3),
    PlayedMove(seconds=7, start=Square(32), end=Square(28)),
    PlayedMove(seconds=7, start=Square(28), end=Square(19), captured=(Square(23),)),
    GameEnd(reason=2, stop=1),
    Chat(text="hello"),
    BackRequest(move_number=5, side_to_move=Color.BLACK),
    BackAnswer(code=1),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_survive_a_round_trip(message: DxpMessage) -> None:
    assert parse_dxp(dxp_text(message)) == message
    assert encode_dxp(message).endswith(b"\0")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Q",
        "M0012",
        "M001232280223",
        "M00123228990",
        "M000199010",
        "E9",
        "K5",
        "C",
        "C" + "x" * 127,
    ],
)
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(InvalidMessageError):
        parse_dxp(text)


@pytest.mark.parametrize(
    "message",
    [
        PlayedMove(seconds=10000, start=Square(1), end=Square(7)),
        PlayedMove(seconds=1, start=Square(51), end=Square(7)),
        GameAnswer(name="a", code=9),
        Chat(text=""),
    ],
)
def test_values_that_do_not_fit_are_not_written(message: DxpMessage) -> None:
    with pytest.raises(InvalidMessageError):
        encode_dxp(message)


def test_text_is_cut_and_made_ascii() -> None:
    assert dxp_text(Chat(text="é" + "x" * 200 + "\0")) == "C?" + "x" * 125
    assert parse_dxp(dxp_text(GameAnswer(name="ü " * 40, code=0))) == GameAnswer(
        name=("? " * 16).strip(), code=0
    )


STREAM = b"".join(encode_dxp(message) for message in MESSAGES)


@pytest.mark.parametrize("seed", range(20))
def test_any_split_of_the_stream_gives_the_same_messages(seed: int) -> None:
    chance = random.Random(seed)
    decoder = DxpDecoder()
    found: list[DxpMessage | BadDxpMessage] = []
    at = 0
    while at < len(STREAM):
        size = chance.choice((1, 2, 7, 50))
        found += decoder.feed(STREAM[at : at + size])
        at += size
    assert tuple(found) == MESSAGES


def test_garbage_becomes_bad_messages_with_a_reason() -> None:
    decoder = DxpDecoder()
    found = list(decoder.feed(b"\xff\0?\0\0" + b"x" * 300 + b"\0K1\0"))
    assert found[-1] == BackAnswer(code=1)
    bad = [message for message in found if isinstance(message, BadDxpMessage)]
    assert len(bad) == len(found) - 1 == 5
    assert all(message.reason and len(message.raw) <= 128 for message in bad)


@pytest.mark.parametrize("seed", range(10))
def test_random_bytes_never_raise(seed: int) -> None:
    chance = random.Random(seed)
    decoder = DxpDecoder()
    for _ in range(50):
        for message in decoder.feed(chance.randbytes(200)):
            assert isinstance(message, BadDxpMessage | DxpMessage)


def test_moves_are_found_by_squares_in_any_order() -> None:
    position = parse_fen("W:W48:B24,K31,34,K42,43")
    [move] = legal_moves(position)
    message = dxp_move(move, seconds=3)
    assert find_dxp_move(message, position) == move
    turned = PlayedMove(
        seconds=3, start=message.start, end=message.end, captured=message.captured[::-1]
    )
    assert find_dxp_move(turned, position) == move


def test_a_move_that_is_not_legal_is_refused() -> None:
    start = Position.start(Variant.INTERNATIONAL)
    message = PlayedMove(seconds=0, start=Square(32), end=Square(22))
    with pytest.raises(IllegalMoveError, match="32-22"):
        find_dxp_move(message, start)
