"""What an operator's form says, as an event; wrong forms are refused with their reason."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args, get_type_hints

from rules import (
    AmbiguousMoveError,
    Color,
    IllegalMoveError,
    InvalidFenError,
    InvalidPdnError,
    Move,
    Position,
    Termination,
    Variant,
    legal_moves,
    move_text,
    parse_fen,
    parse_move,
    ruleset,
    to_fen,
)

from ..game.alternatives import position_before
from ..game.edits import last_edit
from ..game.record import GameRecord
from ..journal.operator_events import (
    EditUndone,
    FlagDecided,
    MovesEdited,
    OperatorEvent,
    PositionSet,
    ResultSet,
    TagsSet,
    TimeGiven,
)
from .access import Role
from .said import SaidError, Words
from .texts import REASONS, message

POINTS_RESULTS: Final = ("2-0", "1-1", "0-2", "0-0", "*")
GAME_RESULTS: Final = ("1-0", "1/2-1/2", "0-1", "0-0", "*")
DRAW_REASONS: Final = (Termination.AGREEMENT.value, Termination.DECLARED.value)
LOSS_REASONS: Final = (
    Termination.RESIGNATION.value,
    Termination.FLAG_FALL.value,
    Termination.REFUSAL.value,
    "forfeit",
)
DECISIONS: Final = get_args(get_type_hints(FlagDecided)["how"])
ACTIONS: Final = (
    *("replace", "takeback", "insert", "position", "resync", "result", "tags", "decide", "time"),
    "undo",
)
"""Every form of the desk."""

FOR_THE_ARBITER: Final = ("decide", "result", "time")
DECISIVE: Final = (FlagDecided, ResultSet, TimeGiven)
"""What those forms become; who may not send them may not undo it either."""

TAG_NAMES: Final = ("White", "Black", "Event", "Site", "Round", "Date")
"""What relays know a game by, and its day."""

MOST_TEXT: Final = 200
MOST_MOVES: Final = 20
MOST_SECONDS: Final = 3600


FIELDS: Final = {"ply": message("Move"), "count": message("Number of moves")}
"""What numbers are called, by their fields."""


class FormError(SaidError):
    """A form cannot be done; the message is for the operator."""


def event_of(
    form: Mapping[str, str],
    record: GameRecord,
    *,
    by: str,
    at_utc: str,
    seen: tuple[str, ...] | None = None,
) -> OperatorEvent:
    """Return the event that a form asks for.

    Args:
        form: The fields; `action` names the form.
        record: The game that the operator saw.
        by: Who sends the form.
        at_utc: The wall clock.
        seen: The grid that the camera read last.

    Raises:
        FormError: It does not fit the game.
    """
    makers: dict[str, Callable[[Mapping[str, str], GameRecord, dict[str, object]], OperatorEvent]]
    makers = {
        "replace": _replacement,
        "takeback": _taking_back,
        "insert": _insertion,
        "position": _position_set,
        "result": _result,
        "tags": _tags,
        "decide": _decision,
        "time": _time,
        "undo": _undoing,
    }
    why = " ".join(form.get("why", "").split())[:MOST_TEXT]
    who: dict[str, object] = {
        "at_ms": record.at_ms,
        "seen_ms": record.at_ms,
        "by": by,
        "at_utc": at_utc,
        "why": why,
    }
    if form.get("action") == "resync":
        return PositionSet(fen=_seen_fen(form, record, seen), **who)  # type: ignore[arg-type]
    maker = makers.get(form.get("action", ""))
    if maker is None:
        raise FormError(message("There is no form {name}."), name=form.get("action", ""))
    return maker(form, record, who)


def role_for(form: Mapping[str, str], record: GameRecord) -> Role:
    """Return the role that a form takes."""
    newest = last_edit(record.edits) if form.get("action") == "undo" else None
    is_decisive = newest is not None and isinstance(newest.event, DECISIVE)
    return "arbiter" if is_decisive or form.get("action") in FOR_THE_ARBITER else "operator"


def _replacement(
    form: Mapping[str, str], record: GameRecord, who: dict[str, object]
) -> OperatorEvent:
    ply = _number(form, "ply", most=len(record.moves))
    (move,) = _moves(form.get("move", ""), record, ply, most=1)
    old = record.moves[ply - 1].move
    return MovesEdited(ply=ply, removes=(old,), inserts=(move,), **who)  # type: ignore[arg-type]


def _taking_back(
    form: Mapping[str, str], record: GameRecord, who: dict[str, object]
) -> OperatorEvent:
    count = _number(form, "count", most=len(record.moves))
    removes = tuple(move.move for move in record.moves[-count:])
    ply = len(record.moves) - count + 1
    return MovesEdited(ply=ply, removes=removes, inserts=(), **who)  # type: ignore[arg-type]


def _insertion(
    form: Mapping[str, str], record: GameRecord, who: dict[str, object]
) -> OperatorEvent:
    ply = _number(form, "ply", most=len(record.moves) + 1)
    inserts = _moves(form.get("moves", ""), record, ply, most=MOST_MOVES)
    return MovesEdited(ply=ply, removes=(), inserts=inserts, **who)  # type: ignore[arg-type]


def _position_set(
    form: Mapping[str, str], record: GameRecord, who: dict[str, object]
) -> OperatorEvent:
    variant = record.variant or Variant.INTERNATIONAL
    try:
        position = parse_fen(form.get("fen", ""), variant)
    except InvalidFenError as error:
        raise FormError(message("This is no position."), detail=str(error)) from error
    return PositionSet(fen=to_fen(position), **who)  # type: ignore[arg-type]


def _seen_fen(form: Mapping[str, str], record: GameRecord, seen: tuple[str, ...] | None) -> str:
    """Return the position that lies on the board by what the camera read."""
    if seen is None or any("?" in row for row in seen):
        raise FormError(message("The camera does not see every square."))
    side = {"white": Color.WHITE, "black": Color.BLACK}.get(form.get("side", ""))
    if side is None:
        raise FormError(message("Say who is to move, White or Black."))
    try:
        return to_fen(Position.from_grid(record.variant or Variant.INTERNATIONAL, side, seen))
    except ValueError as error:
        text = message("What lies on the board is no position.")
        raise FormError(text, detail=str(error)) from error


def _result(form: Mapping[str, str], record: GameRecord, who: dict[str, object]) -> OperatorEvent:
    result, reason = form.get("result", ""), form.get("reason", "")
    known = results_of(record)
    if result not in known:
        text = message("A result is one of {results}, not {got}.")
        raise FormError(text, results=", ".join(known), got=result or "–")
    if reason and reason not in reasons_of(result):
        text = message("{result} does not come by this reason: {reason}.")
        raise FormError(text, result=result, reason=Words(REASONS.get(reason, reason)))
    return ResultSet(result=result, reason=reason, **who)  # type: ignore[arg-type]


def results_of(record: GameRecord) -> tuple[str, ...]:
    """Return the results that a game can have, as its PDN writes them."""
    variant = record.variant or Variant.INTERNATIONAL
    return POINTS_RESULTS if ruleset(variant).has_points_result else GAME_RESULTS


def reasons_of(result: str) -> tuple[str, ...]:
    """Return why a game may end so, for one to choose from."""
    if result in ("*", "0-0"):
        return ("forfeit",) if result == "0-0" else ()
    return DRAW_REASONS if result in ("1-1", "1/2-1/2") else LOSS_REASONS


def _tags(form: Mapping[str, str], record: GameRecord, who: dict[str, object]) -> OperatorEvent:
    given = {name: " ".join(form[name].split())[:MOST_TEXT] for name in TAG_NAMES if name in form}
    if not given:
        raise FormError(message("No name was given."))
    return TagsSet(tags=tuple(given.items()), **who)  # type: ignore[arg-type]


def _decision(form: Mapping[str, str], record: GameRecord, who: dict[str, object]) -> OperatorEvent:
    flag, how = form.get("flag", ""), form.get("how", "")
    if flag not in {str(known.seq) for known in record.flags} or how not in DECISIONS:
        raise FormError(message("There is no such irregularity or decision."))
    return FlagDecided(flag=int(flag), how=how, **who)  # type: ignore[arg-type]


def _time(form: Mapping[str, str], record: GameRecord, who: dict[str, object]) -> OperatorEvent:
    text = form.get("seconds", "").strip()
    if not re.fullmatch(r"[+-]?[0-9]{1,4}", text) or not 0 < abs(int(text)) <= MOST_SECONDS:
        told = message("Give 1-{most} seconds, or take as many; not {got}.")
        raise FormError(told, most=MOST_SECONDS, got=text or "–")
    side = form.get("side", "")
    if side not in {color.value for color in Color}:
        raise FormError(message("Say whose clock, White's or Black's."))
    return TimeGiven(color=Color(side), extra_ms=1000 * int(text), **who)  # type: ignore[arg-type]


def _undoing(form: Mapping[str, str], record: GameRecord, who: dict[str, object]) -> OperatorEvent:
    newest = last_edit(record.edits)
    if newest is None or form.get("edit") != str(newest.seq):
        raise FormError(message("Only the newest edit can be undone, and it has changed."))
    return EditUndone(edit=newest.seq, **who)  # type: ignore[arg-type]


def _number(form: Mapping[str, str], name: str, *, most: int) -> int:
    text = form.get(name, "")
    if not most:
        raise FormError(message("No move has been played yet."))
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= most):
        told = message("{field}: give a number from {least} to {most}, not {got}.")
        raise FormError(told, field=Words(FIELDS[name]), least=1, most=most, got=text or "–")
    return int(text)


def _moves(text: str, record: GameRecord, ply: int, *, most: int) -> tuple[str, ...]:
    words = text.replace(",", " ").split()
    if not 1 <= len(words) <= most:
        raise FormError(message("Give 1-{most} moves, not {got}."), most=most, got=len(words))
    position = position_before(record, ply)
    written = []
    for word in words:
        text, position = _played(word, position)
        written.append(text)
    return tuple(written)


def _played(word: str, position: Position) -> tuple[str, Position]:
    try:
        move = parse_move(word, position)
    except InvalidPdnError as error:
        text = message("A move is written as 32-28 or 28x19, not {got}.")
        raise FormError(text, got=word) from error
    except AmbiguousMoveError as error:
        text = message("{move} can be several captures; write one of {moves}.")
        raise FormError(text, move=word, moves=_texts(error.candidates, position)) from error
    except IllegalMoveError as error:
        legal = _texts(legal_moves(position), position)
        text = message("{move} is not legal here; legal: {moves}.")
        raise FormError(text, move=word, moves=legal or "–") from error
    return move_text(move, position), position.after(move)


def _texts(moves: Sequence[Move], position: Position) -> str:
    return ", ".join(dict.fromkeys(move_text(move, position) for move in moves))
