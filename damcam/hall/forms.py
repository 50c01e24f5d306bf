"""What a form of the dashboard says, as events of the hall; wrong forms are refused."""

from collections.abc import Mapping
from typing import Any, Final, get_args, get_type_hints

from ..serve.access import Login, Role
from ..serve.said import SaidError, Words
from ..serve.texts import message
from ..variants import RECORDED_VARIANTS
from .hall_events import (
    MOST_BOARDS,
    MOST_ROUNDS,
    CameraBound,
    GameBound,
    HallEvent,
    PairingsSet,
    ResultDeclared,
    RoundOpened,
)
from .hand_games import BoardByHand
from .round_sheet import read_pairings

TAGS: Final = ("Event", "Site", "Date", "TimeControl")
RESULTS: Final = get_args(get_type_hints(ResultDeclared)["result"])
MOST_TEXT: Final = 200
NEEDS_ROLE: Final[dict[str, Role]] = {
    "result": "arbiter",
    "hand": "arbiter",
    "round": "admin",
    "camera": "admin",
    "game": "admin",
}


ROLE_WORDS: Final[dict[Role, str]] = {
    "operator": message("operator"),
    "arbiter": message("arbiter"),
    "admin": message("admin"),
}
FIELDS: Final = {"round": message("Round"), "board": message("Board")}
"""What numbers are called, by their fields."""

NOT_YOURS: Final = message("That takes the role {role}.")


class HallFormError(SaidError):
    """A form cannot be done; the message is for whoever sent it."""


def by_hand_of(form: Mapping[str, str], login: Login) -> BoardByHand:
    """Return the board that a form wants to begin.

    Raises:
        HallFormError: A field cannot be used, or the account may not do this.
    """
    if not login.account.may(NEEDS_ROLE["hand"]):
        raise HallFormError(NOT_YOURS, role=Words(ROLE_WORDS[NEEDS_ROLE["hand"]]))
    known = {one.value: one for one in RECORDED_VARIANTS}
    if form.get("variant", "") not in known:
        raise HallFormError(message("A game is one of {games}."), games=", ".join(known))
    return BoardByHand(
        round=_number(form, "round", least=1, most=MOST_ROUNDS),
        board=_number(form, "board", least=1, most=MOST_BOARDS),
        variant=known[form["variant"]],
    )


def hall_events_of(form: Mapping[str, str], login: Login, at_utc: str) -> list[HallEvent]:
    """Return the events that a form asks for.

    Args:
        form: The fields; `action` names the form.
        login: Who sends it.
        at_utc: The wall clock, ISO 8601.

    Raises:
        HallFormError: A field cannot be used, or the account may not do this.
        PairingsError: The pairings cannot be read.
    """
    action = form.get("action", "")
    if action not in NEEDS_ROLE or action == "hand":
        raise HallFormError(message("There is no form {name}."), name=action)
    if not login.account.may(NEEDS_ROLE[action]):
        raise HallFormError(NOT_YOURS, role=Words(ROLE_WORDS[NEEDS_ROLE[action]]))
    who: dict[str, Any] = {"by": login.name, "at_utc": at_utc, "why": _line(form, "why")}
    if action == "round":
        return _round(form, who)
    if action == "camera":
        board = _number(form, "board", least=0, most=MOST_BOARDS)
        return [CameraBound(camera=_line(form, "camera"), board=board, **who)]
    place: dict[str, Any] = {
        "round": _number(form, "round", least=1, most=MOST_ROUNDS),
        "board": _number(form, "board", least=1, most=MOST_BOARDS),
    }
    if action == "game":
        camera, _, recording = _line(form, "recording").rpartition(".")
        return [GameBound(camera=camera, recording=recording, **place, **who)]
    result: Any = form.get("result", "")
    if result not in RESULTS:
        text = message("A result is one of {results}, not {got}.")
        raise HallFormError(text, results=", ".join(RESULTS), got=result or "–")
    return [ResultDeclared(result=result, **place, **who)]


def round_events(
    number: int, tags: Mapping[str, str], pairings: str, *, opens: bool, **who: str
) -> list[HallEvent]:
    """Return what sets a round up; pairings first, so that it opens with its boards.

    Raises:
        PairingsError: The pairings cannot be read.
    """
    events: list[HallEvent] = []
    if pairings.strip():
        read = read_pairings(pairings)
        events.append(PairingsSet(round=number, boards=read.boards, tags=read.tags, **who))
    if opens:
        events.append(RoundOpened(round=number, tags=tuple(tags.items()), **who))
    return events


def _round(form: Mapping[str, str], who: dict[str, Any]) -> list[HallEvent]:
    number = _number(form, "round", least=1, most=MOST_ROUNDS)
    tags = {name: _line(form, name) for name in TAGS if _line(form, name)}
    opens = form.get("open") == "1"
    events = round_events(number, tags, form.get("pairings", ""), opens=opens, **who)
    if not events:
        raise HallFormError(message("Give pairings, or open the round."))
    return events


def _number(form: Mapping[str, str], name: str, *, least: int, most: int) -> int:
    text = form.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4 and least <= int(text) <= most):
        told = message("{field}: give a number from {least} to {most}, not {got}.")
        raise HallFormError(
            told, field=Words(FIELDS[name]), least=least, most=most, got=text or "–"
        )
    return int(text)


def _line(form: Mapping[str, str], name: str) -> str:
    return " ".join(form.get(name, "").split())[:MOST_TEXT]
