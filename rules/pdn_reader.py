"""Read PDN leniently: nothing in a text stops the reader, every fault is told with its place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from .errors import AmbiguousMoveError, IllegalMoveError, InvalidFenError, InvalidPdnError
from .fen import parse_fen, to_fen
from .game import Game
from .move import Move
from .notation import parse_move
from .pdn_tags import parse_game_type
from .pdn_tokens import Token, TokenKind, tokenize
from .position import Position
from .squares import Variant

MOST_FAULTS: Final = 1000
"""Of one game; a text that is no PDN at all would fill the memory with more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnFault:
    """Something in the text that cannot be right; reading went on."""

    line: int
    column: int
    ply: int
    """Plies of the main line that were read before it."""
    text: str
    reason: str
    fen: str
    """The position at that place, empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnMove:
    """A move of the movetext with all that hangs on it."""

    text: str
    line: int
    column: int
    move: Move | None
    """None where the move was at fault or followed a fault."""
    signs: tuple[str, ...] = ()
    nags: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    variations: tuple[tuple["PdnMove", ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PdnGame:
    """One game as far as it could be read."""

    line: int
    """Where the game begins, counted from 1."""
    tags: Mapping[str, str]
    game: Game
    moves: tuple[PdnMove, ...]
    """The main line; faulty moves included."""
    result: str
    """The result at the end of the movetext; empty where there is none."""
    faults: tuple[PdnFault, ...]
    """The first MOST_FAULTS of them."""
    comment: str = ""
    """What stands before the first move."""


def decode_pdn(data: bytes) -> str:
    """Return the text of a PDN file: UTF-8, or Latin-1 where it is not."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_pdn(text: str, *, variant: Variant | None = None) -> tuple[PdnGame, ...]:
    """Return the games of a PDN text.

    Args:
        text: any text at all.
        variant: the game that is played; by default each game's GameType tag says it, or else
            the game in which most of its moves are legal.
    """
    return tuple(_read_game(tokens, variant) for tokens in split_games(tokenize(text)))


def split_games(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each game; a result or a tag after moves ends one."""
    current: list[Token] = []
    has_body = is_ended = False
    for token in tokens:
        is_tag = token.kind is TokenKind.TAG
        if current and (is_ended or (is_tag and has_body)):
            if is_ended and not is_tag and token.text == "*":
                current.append(token)
                continue
            yield current
            current, has_body, is_ended = [], False, False
        current.append(token)
        has_body = has_body or not is_tag
        is_ended = token.kind is TokenKind.RESULT and not _is_forced_sign(token)
    if any(token.kind is not TokenKind.COMMENT for token in current):
        yield current


def _is_forced_sign(token: Token) -> bool:
    """Tell a star that hangs on a move, which old files use for the only move."""
    return token.text == "*" and token.is_attached


def _read_game(tokens: list[Token], wanted: Variant | None) -> PdnGame:
    tags = dict(token.text.split("\n", 1) for token in tokens if token.kind is TokenKind.TAG)
    candidates = [wanted] if wanted else _candidates(tags, tokens)
    games = [_Builder.of(tags, variant, tokens[0].line).read(tokens) for variant in candidates]
    return max(games, key=lambda game: (game.game.ply, -len(game.faults)))


def _candidates(tags: Mapping[str, str], tokens: Iterable[Token]) -> list[Variant]:
    game_type = parse_game_type(tags.get("GameType", ""))
    if game_type is not None and game_type.variant is not None:
        return [game_type.variant]
    words = [token.text for token in tokens if token.kind in (TokenKind.MOVE, TokenKind.SETUP)]
    words.append(tags.get("FEN", "").removeprefix("W").removeprefix("B"))
    if any(letter in "acdefghij" for word in words[:-1] for letter in word[:1].lower()):
        return [Variant.RUSSIAN, Variant.BRAZILIAN, Variant.CZECH]
    numbers = [int(number) for word in words for number in _numbers(word)]
    highest = max(numbers, default=0)
    if highest > 50:
        return [Variant.CANADIAN, Variant.INTERNATIONAL]
    if highest > 32:
        return [Variant.INTERNATIONAL, Variant.FRISIAN]
    return [
        *(Variant.ENGLISH, Variant.INTERNATIONAL),
        *(Variant.RUSSIAN, Variant.BRAZILIAN, Variant.ITALIAN),
    ]


def _numbers(word: str) -> list[str]:
    digits = "".join(letter if letter.isascii() and letter.isdigit() else " " for letter in word)
    return [number for number in digits.split() if len(number) <= 2]


@dataclass(slots=True)
class _Line:
    """A line of moves while it is read: the main line or a variation."""

    game: Game
    before: Game
    """The game before its last move, where variations start."""
    moves: list[PdnMove] = field(default_factory=list)
    is_lost: bool = False
    """A fault was met; moves cannot be followed until the next setup."""


@dataclass(slots=True)
class _Builder:
    """Builds one game from its tokens."""

    tags: Mapping[str, str]
    start_line: int
    lines: list[_Line]
    """The main line and the variations that are open, innermost last."""
    faults: list[PdnFault] = field(default_factory=list)
    result: str = ""
    comments: list[str] = field(default_factory=list)
    shown: tuple[Position, str] | None = None
    """The position of the last fault as text; many may follow in one place."""

    @classmethod
    def of(cls, tags: Mapping[str, str], variant: Variant, line: int) -> "_Builder":
        start = Game.start(variant)
        builder = cls(tags=tags, start_line=line, lines=[_Line(start, start)])
        if fen := tags.get("FEN", ""):
            try:
                start = Game.start(parse_fen(fen, variant, lenient=True))
            except InvalidFenError as error:
                token = Token(kind=TokenKind.TAG, text=fen, line=line, column=1, is_attached=False)
                builder.add_fault(token, str(error))
                builder.lines[0].is_lost = True
            else:
                builder.lines = [_Line(start, start)]
        return builder

    def read(self, tokens: list[Token]) -> PdnGame:
        last = max((i for i, token in enumerate(tokens) if token.text != "*"), default=0)
        for index, token in enumerate(tokens):
            self.add(token, is_last=index >= last)
        for _ in self.lines[1:]:
            self.close_variation()
        main = self.lines[0]
        return PdnGame(
            line=self.start_line,
            tags=MappingProxyType(dict(self.tags)),
            game=main.game,
            moves=tuple(main.moves),
            result=self.result,
            faults=tuple(self.faults),
            comment=" ".join(self.comments),
        )

    def add(self, token: Token, *, is_last: bool) -> None:
        match token.kind:
            case TokenKind.TAG:
                pass
            case TokenKind.NUMBER:
                self.add_number(token)
            case TokenKind.MOVE if is_last and self.is_result(token):
                self.result = token.text
            case TokenKind.MOVE:
                self.add_move(token)
            case TokenKind.UNKNOWN_MOVE:
                self.lines[-1].is_lost = True
            case TokenKind.COMMENT:
                self.add_comment(" ".join(token.text.split()))
            case TokenKind.OPEN_COMMENT:
                self.add_comment(" ".join(token.text.split()))
                self.add_fault(token, "a comment is not closed with }")
            case TokenKind.STRENGTH:
                self.change_last(signs=(token.text.strip("()"),))
            case TokenKind.RESULT if _is_forced_sign(token) and not is_last:
                self.change_last(signs=("*",), nags=(7,))
            case TokenKind.RESULT:
                self.result = self.result or token.text
            case TokenKind.NAG:
                self.change_last(nags=(int(token.text[1:4]),))
            case TokenKind.SETUP:
                self.add_setup(token)
            case TokenKind.OPEN:
                before = self.lines[-1].before
                self.lines.append(_Line(before, before, is_lost=self.lines[-1].is_lost))
            case TokenKind.CLOSE if len(self.lines) > 1:
                self.close_variation()
            case TokenKind.CLOSE | TokenKind.JUNK:
                self.add_fault(token, f"{token.text[:40]!r} has no place in a game")

    def is_result(self, token: Token) -> bool:
        """Tell a result in points, like 4-6, from a move that looks the same."""
        first, _, second = token.text.partition("-")
        if not (first.isdigit() and second.isdigit()):
            return False
        if token.text == self.tags.get("Result") or first == second:
            return True
        try:
            parse_move(token.text, self.lines[-1].game.position)
        except ValueError:
            return int(first) + int(second) in (2, 10, 12)
        return False

    def add_fault(self, token: Token, reason: str) -> None:
        if len(self.faults) == MOST_FAULTS:
            return
        line = self.lines[-1]
        self.faults.append(
            PdnFault(
                line=token.line,
                column=token.column,
                ply=self.lines[0].game.ply,
                text=token.text[:80],
                reason=reason,
                fen="" if line.is_lost else self.fen_of(line.game.position),
            )
        )

    def fen_of(self, position: Position) -> str:
        if self.shown is None or self.shown[0] is not position:
            self.shown = (position, to_fen(position))
        return self.shown[1]

    def add_number(self, token: Token) -> None:
        """Let the other side begin where a fragment opens with an ellipsis."""
        main = self.lines[0]
        is_begun = main.moves or main.game.steps or main.is_lost or "FEN" in self.tags
        if not is_begun and (".." in token.text.replace(" ", "") or "…" in token.text):
            position = main.game.position
            turned = Game.start(position.with_side_to_move(position.side_to_move.other))
            self.lines[0] = _Line(turned, turned)

    def add_move(self, token: Token) -> None:
        line = self.lines[-1]
        move = None
        if not line.is_lost:
            text = token.text
            if len(text) == 4 and text.isdigit():
                text = f"{text[:2]}-{text[2:]}"
            try:
                move = parse_move(text, line.game.position)
            except (AmbiguousMoveError, IllegalMoveError, InvalidPdnError) as error:
                self.add_fault(token, str(error))
                line.is_lost = True
            else:
                line.before, line.game = line.game, line.game.after(move)
        line.moves.append(PdnMove(text=token.text, line=token.line, column=token.column, move=move))

    def add_setup(self, token: Token) -> None:
        line = self.lines[-1]
        try:
            position = parse_fen(token.text, line.game.variant, lenient=True)
        except InvalidFenError as error:
            self.add_fault(token, str(error))
            line.is_lost = True
        else:
            line.before = line.game = line.game.set_up(position)
            line.is_lost = False

    def add_comment(self, comment: str) -> None:
        if self.lines[-1].moves:
            self.change_last(comments=(comment,))
        else:
            self.comments.append(comment)

    def change_last(
        self,
        *,
        signs: tuple[str, ...] = (),
        nags: tuple[int, ...] = (),
        comments: tuple[str, ...] = (),
    ) -> None:
        moves = self.lines[-1].moves
        if moves:
            last = moves[-1]
            moves[-1] = replace(
                last,
                signs=last.signs + signs,
                nags=last.nags + nags,
                comments=last.comments + comments,
            )

    def close_variation(self) -> None:
        variation = tuple(self.lines.pop().moves)
        moves = self.lines[-1].moves
        if moves and variation:
            moves[-1] = replace(moves[-1], variations=(*moves[-1].variations, variation))
