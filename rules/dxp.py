"""DamExchange (DXP), messages only: 1 to 127 ASCII characters and a NUL on the wire.

The first letter is the kind; fields have fixed widths. Black is Z, an empty square e.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import IllegalMoveError, InvalidMessageError
from .move import Move
from .moves import legal_moves
from .notation import legal_text
from .position import Piece, Position
from .squares import Color, Square, Variant

DEFAULT_PORT = 27531
"""Where Scan listens."""
MAX_MESSAGE_CHARACTERS = 127
NAME_CHARACTERS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """R: the initiator asks for a game."""

    name: str
    follower: Color
    minutes: int
    moves: int
    """Moves to make in the time; 0 for the whole game."""
    position: Position | None = None
    """None for the usual start."""
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnswer:
    """A: 0 yes, 1 another version, 2 not this game, 3 no game at all."""

    name: str
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove:
    """M: a move with the seconds that it took."""

    seconds: int
    start: Square
    end: Square
    captured: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """E: reason 0 none, 1 I resign, 2 draw, 3 I win; stop 0 another game is possible, 1 not."""

    reason: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """C: free text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BackRequest:
    """B: go back to a move number with a side to move."""

    move_number: int
    side_to_move: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class BackAnswer:
    """K: 0 yes, 1 no, 2 go on."""

    code: int


DxpMessage = GameRequest | GameAnswer | PlayedMove | GameEnd | Chat | BackRequest | BackAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class BadDxpMessage:
    """Something between two NULs that is no message."""

    raw: bytes
    reason: str


_COLORS = {"W": Color.WHITE, "Z": Color.BLACK}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_PIECES = {
    "w": Piece.WHITE_MAN,
    "W": Piece.WHITE_KING,
    "z": Piece.BLACK_MAN,
    "Z": Piece.BLACK_KING,
}
_PIECE_LETTERS = {piece: letter for letter, piece in _PIECES.items()}

_FORMS = {
    "R": re.compile(r"R(\d\d)(.{32})([WZ])(\d{3})(\d{3})(A|B[WZ][wWzZe]{50})", re.ASCII),
    "A": re.compile(r"A(.{32})([0-3])", re.ASCII),
    "M": re.compile(r"M(\d{4})(\d\d)(\d\d)(\d\d)((?:\d\d)*)", re.ASCII),
    "E": re.compile(r"E([0-3])([01])", re.ASCII),
    "C": re.compile(r"C(.{1,126})", re.ASCII | re.DOTALL),
    "B": re.compile(r"B(\d{3})([WZ])", re.ASCII),
    "K": re.compile(r"K([0-2])", re.ASCII),
}


def parse_dxp(text: str) -> DxpMessage:
    """Read one message, without its NUL.

    Raises:
        InvalidMessageError: the text is no message.
    """
    form = _FORMS.get(text[:1])
    match = form.fullmatch(text) if form else None
    if match is None or not text.isascii() or len(text) > MAX_MESSAGE_CHARACTERS:
        raise InvalidMessageError(f"not a DXP message: {text[:MAX_MESSAGE_CHARACTERS]!r}")
    match text[0]:
        case "R":
            return GameRequest(
                version=int(match[1]),
                name=match[2].rstrip(),
                follower=_COLORS[match[3]],
                minutes=int(match[4]),
                moves=int(match[5]),
                position=_position(match[6]) if match[6] != "A" else None,
            )
        case "A":
            return GameAnswer(name=match[1].rstrip(), code=int(match[2]))
        case "M":
            return _played_move(match, text)
        case "E":
            return GameEnd(reason=int(match[1]), stop=int(match[2]))
        case "C":
            return Chat(text=match[1])
        case "B":
            return BackRequest(move_number=int(match[1]), side_to_move=_COLORS[match[2]])
        case _:
            return BackAnswer(code=int(match[1]))


def _played_move(match: re.Match[str], text: str) -> PlayedMove:
    captured = tuple(Square(int(number)) for number in re.findall(r"\d\d", match[5]))
    squares = (int(match[2]), int(match[3]), *captured)
    if len(captured) != int(match[4]) or not all(1 <= square <= 50 for square in squares):
        raise InvalidMessageError(f"the squares of a move do not fit its count: {text!r}")
    return PlayedMove(
        seconds=int(match[1]),
        start=Square(int(match[2])),
        end=Square(int(match[3])),
        captured=captured,
    )


def _position(text: str) -> Position:
    pieces = {
        Square(number): _PIECES[letter]
        for number, letter in enumerate(text[2:], 1)
        if letter != "e"
    }
    return Position.from_pieces(Variant.INTERNATIONAL, _COLORS[text[1]], pieces)


def dxp_text(message: DxpMessage) -> str:
    """Write a message, without its NUL; letters outside ASCII become question marks.

    Raises:
        InvalidMessageError: a value does not fit its field.
    """
    match message:
        case GameRequest():
            text = f"R{message.version:02}{_name(message.name)}{_LETTERS[message.follower]}"
            text += f"{message.minutes:03}{message.moves:03}{_start_text(message.position)}"
        case GameAnswer():
            text = f"A{_name(message.name)}{message.code}"
        case PlayedMove():
            text = f"M{message.seconds:04}{message.start:02}{message.end:02}"
            text += f"{len(message.captured):02}"
            text += "".join(f"{square:02}" for square in message.captured)
        case GameEnd():
            text = f"E{message.reason}{message.stop}"
        case Chat():
            text = f"C{_ascii(message.text)[: MAX_MESSAGE_CHARACTERS - 1]}"
        case BackRequest():
            text = f"B{message.move_number:03}{_LETTERS[message.side_to_move]}"
        case BackAnswer():
            text = f"K{message.code}"
    parse_dxp(text)
    return text


def encode_dxp(message: DxpMessage) -> bytes:
    """Return the packet of a message, its NUL included."""
    return dxp_text(message).encode("ascii") + b"\0"


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii").replace("\0", "?")


def _name(name: str) -> str:
    one_line = " ".join(_ascii(name).split())
    return f"{one_line[:NAME_CHARACTERS]:<{NAME_CHARACTERS}}"


def _start_text(position: Position | None) -> str:
    if position is None:
        return "A"
    pieces = position.pieces
    letters = (
        _PIECE_LETTERS[pieces[square]] if square in pieces else "e"
        for square in position.geometry.squares
    )
    return f"B{_LETTERS[position.side_to_move]}{''.join(letters)}"


class DxpDecoder:
    """Cuts a stream of bytes into messages, whatever pieces it arrives in."""

    def __init__(self) -> None:
        self._pending = bytearray()

    def feed(self, data: bytes) -> Iterator[DxpMessage | BadDxpMessage]:
        """Yield the messages that `data` completes; text without a NUL is held up to the cap."""
        for byte in data:
            if byte:
                self._pending.append(byte)
                if len(self._pending) > MAX_MESSAGE_CHARACTERS:
                    yield self._bad("no NUL within 127 characters")
                continue
            raw = bytes(self._pending)
            self._pending.clear()
            if raw:
                yield _decoded(raw)

    def _bad(self, reason: str) -> BadDxpMessage:
        raw = bytes(self._pending)
        self._pending.clear()
        return BadDxpMessage(raw=raw, reason=reason)


def _decoded(raw: bytes) -> DxpMessage | BadDxpMessage:
    try:
        return parse_dxp(raw.decode("ascii"))
    except (UnicodeDecodeError, InvalidMessageError) as error:
        return BadDxpMessage(raw=raw, reason=str(error))


def dxp_move(move: Move, *, seconds: int) -> PlayedMove:
    """Return the message of a move."""
    captured = tuple(sorted(move.captured))
    return PlayedMove(seconds=seconds, start=move.start, end=move.end, captured=captured)


def find_dxp_move(message: PlayedMove, position: Position) -> Move:
    """Return the legal move that a message names.

    Raises:
        IllegalMoveError: it is not legal in the position.
    """
    wanted = (message.start, message.end, frozenset(message.captured))
    for move in legal_moves(position):
        if (move.start, move.end, move.captured) == wanted:
            return move
    text = f"{message.start}{'x' if message.captured else '-'}{message.end}"
    raise IllegalMoveError(
        f"{text} is not legal here; {legal_text(position)}", move=text, position=position
    )
