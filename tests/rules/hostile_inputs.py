"""Random inputs for everything that reads text, and what may come of them.

An input is noise, pieces of real texts in any order, or a real text with something cut out, put
in, doubled or exchanged: the nearer to the truth, the deeper a parser follows.
"""

import random
from collections.abc import Callable

from rules import (
    AmbiguousMoveError,
    BadDxpMessage,
    DxpDecoder,
    IllegalMoveError,
    InvalidFenError,
    InvalidMessageError,
    InvalidPdnError,
    PlayedMove,
    Position,
    Variant,
    decode_pdn,
    dxp_text,
    find_dxp_move,
    hub_line,
    hub_position,
    move_text,
    parse_clock,
    parse_dxp,
    parse_fen,
    parse_game_type,
    parse_hub,
    parse_hub_move,
    parse_hub_position,
    parse_move,
    read_pdn,
    to_fen,
)

OWN_ERRORS = (
    InvalidFenError,
    InvalidPdnError,
    InvalidMessageError,
    IllegalMoveError,
    AmbiguousMoveError,
)

FENS = (
    "W:W31-50:B1-20",
    "B:WK4,K10-12,27:B1,K44,45.",
    'W:B1-20:W31-50:H0:F1"',
    "?:Wa1,c3,Ke5:Bb8,h8",
    "W:WK47:B14,19,29,31,42",
    "B:1b1b1b1b1b/b1b1b1b1b1/10/10/10/10/10/10/1w1w1w1w1w/w1w1w1w1w1",
    "W:W1-12:B21-32",
    "W:W43-72:B1-30",
)
MOVES = ("32-28", "47x38x24x13x36", "28:19", "a3b4", "c3-d4", "f6xd4xb2", "07-11", "1x23x14x25")
PDNS = (
    '[Event "a \\"b\\""]\n[Result "2-0"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n',
    '[GameType "21,B,8,8,N1,0"]\n[FEN "B:W18:B14"]\n1. 14x23 {[%clk 1:05:23]} 0-1\n',
    "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23 $7 *",
    '1.31-26 17-21 /FEN "B:B1-16,18-21:W26,28,33-50"/ {setup} 2. ... 20-25 1/2-1/2',
    "% comment\n1. a3b4 b6c5(!?) 41. - - 3228 1823 1+ - 1- a.l. +1 = 4-6",
)
MESSAGES = (
    'pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww moves="32-28 19-23"',
    'info depth=12 score=0.05 nodes=100 pv="32-28 19-23"',
    "level moves=40 time=7200 inc=60",
    "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    "28x19x23",
    "R01Damcam                          W060050A",
    "M001205250422122320",
    "AScan                             0",
    "E01",
    "B012Z",
    "Chello",
    "K2",
)
TAGS = (
    "20,W,10,10,N2,0",
    "25",
    "[%clock w0:00:00 B0:00:05]",
    "[%clk 1:05:23]",
)
SAMPLES = (*FENS, *MOVES, *PDNS, *MESSAGES, *TAGS)
ALPHABET = '0123456789 \n\r\t\0abcdefghklwWbBKkexX:-.,;/()[]{}"\\$%*!?+=#²٣Ⅳß→\ud800\ufeff\x85'

POSITIONS = (
    *(Position.start(variant) for variant in Variant),
    parse_fen("W:WK47:B14,19,29,31,42"),
    parse_fen("B:W27,28,38,39,42:BK25"),
    parse_fen("W:W28:B12,13,22,23"),
    parse_fen("W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8", Variant.RUSSIAN),
)


def random_input(chance: random.Random) -> str:
    """Draw an input."""
    match chance.randrange(4):
        case 0:
            return decode_pdn(chance.randbytes(chance.randrange(40)))
        case 1:
            return "".join(chance.choices(ALPHABET, k=chance.randrange(40)))
        case 2:
            parts = (chance.choice(SAMPLES) for _ in range(chance.randrange(1, 4)))
            return chance.choice(("", " ", "\n")).join(map(_piece(chance), parts))
        case _:
            text = chance.choice(SAMPLES)
            for _ in range(chance.randrange(1, 4)):
                text = _changed(chance, text)
            return text


def _piece(chance: random.Random) -> Callable[[str], str]:
    def piece(text: str) -> str:
        start = chance.randrange(len(text))
        return text[start : start + chance.randrange(30)]

    return piece


def _changed(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    end = at + chance.randrange(6)
    match chance.randrange(4):
        case 0:
            return text[:at] + text[end:]
        case 1:
            return text[:end] + text[at:]
        case 2:
            return text[:at] + chance.choice(ALPHABET) + text[at:]
        case _:
            return text[:at] + "".join(chance.choices(ALPHABET, k=end - at)) + text[end:]


def feed_fen(text: str, position: Position) -> None:
    for lenient in (False, True):
        read = parse_fen(text, position.variant, lenient=lenient)
        assert parse_fen(to_fen(read), position.variant) == read


def feed_move(text: str, position: Position) -> None:
    move = parse_move(text, position)
    assert parse_move(move_text(move, position), position) == move


def feed_pdn(text: str, position: Position) -> None:
    for variant in (None, position.variant):
        for game in read_pdn(text, variant=variant):
            lines = text.split("\n")
            for fault in game.faults:
                assert 1 <= fault.line <= len(lines)
                assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
                assert fault.reason


def feed_hub(text: str, _position: Position) -> None:
    message = parse_hub(text)
    assert parse_hub(hub_line(message)).command == message.command


def feed_hub_position(text: str, position: Position) -> None:
    read = parse_hub_position(text, position.variant)
    assert parse_hub_position(hub_position(read), position.variant) == read


def feed_hub_move(text: str, position: Position) -> None:
    parse_hub_move(text, position)


def feed_dxp(text: str, position: Position) -> None:
    message = parse_dxp(text)
    written = dxp_text(message)
    assert dxp_text(parse_dxp(written)) == written
    if isinstance(message, PlayedMove):
        find_dxp_move(message, position)


def feed_dxp_stream(text: str, _position: Position) -> None:
    decoder = DxpDecoder()
    for message in decoder.feed(text.encode("utf-8", "surrogatepass") + b"\0K1\0"):
        assert isinstance(message, BadDxpMessage) or dxp_text(message)
    assert not list(decoder.feed(b""))


def feed_tags(text: str, _position: Position) -> None:
    parse_game_type(text)
    parse_clock(text)
    parse_clock(f"[%clock {text}]")
    parse_clock(f"[%clk {text}]")


READERS: tuple[Callable[[str, Position], None], ...] = (
    *(feed_fen, feed_move, feed_pdn, feed_hub, feed_hub_position),
    *(feed_hub_move, feed_dxp, feed_dxp_stream, feed_tags),
)


def feed_everyone(chance: random.Random) -> int:
    """Give one random input to every reader and return how many accepted it.

    Raises:
        Exception: a reader raised anything but one of our own errors.
    """
    text, position = random_input(chance), chance.choice(POSITIONS)
    accepted = 0
    for reader in READERS:
        error = refusal(reader, text, position)
        accepted += error is None
        assert error is None or str(error)
        if isinstance(error, InvalidPdnError):
            assert (error.line, error.column) >= (1, 1)
    return accepted


def refusal(
    reader: Callable[[str, Position], None], text: str, position: Position
) -> ValueError | None:
    """Return the error of ours with which a reader refuses a text; None where it does not."""
    try:
        reader(text, position)
    except OWN_ERRORS as error:
        return error
    return None
