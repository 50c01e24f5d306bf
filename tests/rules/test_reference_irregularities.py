"""Each irregularity of the shared reference items, put on the board and judged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rules import (
    Color,
    Evidence,
    Game,
    Incident,
    IncidentState,
    Judgement,
    JudgementKind,
    Landing,
    Piece,
    Position,
    Removal,
    Square,
    Touch,
    Variant,
    check_start,
    judge,
    legal_moves,
    parse_fen,
    parse_move,
    read_pdn,
    write_pdn,
)
from tests.rules.boards import changed

pytestmark = pytest.mark.shared

Clauses = tuple[str, ...]
REGULAR: Clauses = ()


def played(position: Position, text: str, evidence: Evidence | None = None) -> Clauses:
    """Judge a legal move."""
    after = position.after(parse_move(text, position))
    judgement = judge(position, dict(after.pieces), evidence=evidence)
    assert judgement.kind is JudgementKind.MOVES
    return clauses_of(judgement)


def shifted(
    position: Position, moved: tuple[tuple[int, int], ...] = (), removed: tuple[int, ...] = ()
) -> Clauses:
    """Judge pieces shifted and taken off."""
    return clauses_of(judge(position, changed(position, moved=moved, removed=removed)))


def clauses_of(judgement: Judgement) -> Clauses:
    return tuple(verdict.clause for verdict in judgement.verdicts)


def landed(*squares: int) -> tuple[Landing, ...]:
    """Put the piece down on each square, a second after the one before."""
    return tuple(
        Landing(square=Square(square), at_ms=1000 * at) for at, square in enumerate(squares)
    )


def taken(*squares_and_times: tuple[int, int]) -> tuple[Removal, ...]:
    return tuple(Removal(square=Square(square), at_ms=at) for square, at in squares_and_times)


def two_in_succession(start: Position) -> Clauses:
    first = start.after(parse_move("32-28", start))
    return clauses_of(judge(first, changed(first, moved=[(37, 32)]), history=[start]))


def man_moved_backward(start: Position) -> Clauses:
    game = Game.start(start)
    for text in ("32-27", "20-25"):
        game = game.after(parse_move(text, game.position))
    after = changed(game.position, moved=[(27, 32)])
    return clauses_of(judge(game.position, after, history=game.positions[:-1]))


def touched(start: Position, square: int) -> Clauses:
    touch = Touch(square=Square(square), at_ms=0)
    return played(start, "32-28", Evidence(touches=(touch,)))


def taken_back(start: Position) -> Clauses:
    first = start.after(parse_move("32-28", start))
    other = start.after(parse_move("33-28", start))
    return clauses_of(judge(first, dict(other.pieces), history=[start]))


def lifted_early(position: Position) -> Clauses:
    removals = taken((43, 500), (34, 2500), (24, 2700))
    return played(position, "48x19", Evidence(landings=landed(39, 30, 19), removals=removals))


def removal_interrupted(position: Position) -> Clauses:
    unfinished = shifted(position, moved=((48, 19),), removed=(43, 34))
    assert unfinished == ("5.4.11",)
    removals = taken((43, 3000), (34, 3300), (24, 9900))
    evidence = Evidence(landings=landed(39, 30, 19), removals=removals, lever_at_ms=4000)
    return played(position, "48x19", evidence)


def promoted_uncrowned(position: Position) -> Clauses:
    single = changed(position, moved=[(6, 1)])
    first = judge(position, single)
    assert first.verdicts == ()
    after = changed(first.position, removed=[1, 20], added={1: Piece.WHITE_MAN, 24: BLACK})
    second = judge(first.position, after, history=[position], uncrowned=first.uncrowned)
    return clauses_of(second)


BLACK = Piece.BLACK_MAN


def uncrowned_king_played(position: Position) -> Clauses:
    after = {Square(45): Piece.WHITE_MAN, Square(20): BLACK}
    return clauses_of(judge(position, after, uncrowned={Square(1)}))


def accident_restored(start: Position) -> Clauses:
    judgement = judge(start, dict(start.pieces))
    assert judgement.kind is JudgementKind.UNCHANGED
    return clauses_of(judgement)


def accepted(position: Position) -> Clauses:
    wrong = judge(position, changed(position, moved=[(33, 29)]))
    incident = Incident.open(position, wrong)
    assert wrong.position.side_to_move is Color.BLACK
    # The item's 12-18 is no move, as a black man stands on 18; any legal reply accepts.
    reply = legal_moves(wrong.position)[0]
    incident = incident.observe(dict(wrong.position.after(reply).pieces))
    assert incident.state is IncidentState.ACCEPTED
    pdn = write_pdn(Game.start(position).set_up(wrong.position).after(incident.moves[0]))
    assert '/FEN "B:W28,29' in pdn
    [again] = read_pdn(pdn)
    assert again.faults == ()
    assert again.game.position == incident.position
    return clauses_of(wrong)


def lifted_first(position: Position) -> Clauses:
    return played(position, "28x19", Evidence(landings=landed(0, 19), removals=taken((23, 100))))


def on_a_light_square(start: Position) -> Clauses:
    after = changed(start, removed=[33])
    return clauses_of(judge(start, after, light_squares={(6, 5): Piece.WHITE_MAN}))


def board_turned(start: Position) -> Clauses:
    pieces = dict(start.pieces)
    before = check_start(start, pieces, placed_correctly=False)
    during = check_start(start, pieces, placed_correctly=False, is_game_on=True)
    assert [verdict.certain for verdict in (*before, *during)] == [True, False]
    return tuple(verdict.clause for verdict in before)


def man_missing_at_start(position: Position) -> Clauses:
    expected = Position.start(Variant.INTERNATIONAL)
    verdicts = check_start(expected, dict(position.pieces))
    assert [verdict.squares for verdict in verdicts] == [(20,)]
    return tuple(verdict.clause for verdict in verdicts)


def round_trip(position: Position) -> Clauses:
    judgement = judge(position, {Square(28): Piece.WHITE_MAN})
    assert judgement.kind is JudgementKind.MOVES
    assert judgement.moves[0].captured == {12, 13, 22, 23}
    return clauses_of(judgement)


EVENTS: dict[str, tuple[Callable[[Position], Clauses], Clauses]] = {
    "X01": (two_in_succession, ("5.4.1",)),
    "X02": (lambda start: shifted(start, ((32, 22),)), ("5.4.2",)),
    "X03": (man_moved_backward, ("5.4.2",)),
    "X04": (lambda start: touched(start, 33), ("5.4.3",)),
    "X05": (lambda start: touched(start, 46), REGULAR),
    "X06": (taken_back, ("5.4.4",)),
    "X07": (lambda start: shifted(start, ((20, 24),)), ("5.4.5",)),
    "X08": (lambda position: shifted(position, ((33, 29),)), ("5.4.6",)),
    "X09": (lambda start: shifted(start, removed=(20,)), ("5.4.7",)),
    "X10": (lambda position: shifted(position, ((48, 26),), (42, 31)), ("5.4.8",)),
    "X11": (lambda position: shifted(position, ((48, 39),), (43,)), ("5.4.9",)),
    "X12": (lifted_early, ("5.4.10",)),
    "X13": (lambda position: shifted(position, ((48, 19),), (43, 34)), ("5.4.11",)),
    "X14": (lambda position: shifted(position, ((48, 19),), (43, 34, 24, 42)), ("5.4.12",)),
    "X15": (removal_interrupted, ("5.4.13",)),
    "X16": (lambda position: shifted(position, ((28, 19),), (23, 32)), ("5.4.14",)),
    "X17": (promoted_uncrowned, ("5.4.15",)),
    "X18": (uncrowned_king_played, ("5.4.16",)),
    "X19": (lambda position: played(position, "28x19", Evidence(hands=2)), ("5.4.17",)),
    "X20": (accident_restored, REGULAR),
    "X21": (accepted, ("5.4.6",)),
    "X22": (lifted_first, REGULAR),
    "X23": (lifted_first, ("4.16",)),
    "X24": (on_a_light_square, ("5.3",)),
    "X25": (board_turned, ("5.1",)),
    "X26": (man_missing_at_start, ("5.2",)),
    "X27": (round_trip, REGULAR),
}
"""By item: what happens on its position, and the clauses of the verdicts on it."""


@pytest.fixture
def items(shared: Path) -> dict[str, dict[str, Any]]:
    text = (shared / "reference" / "rule_tests.json").read_text(encoding="utf-8")
    return {item["id"]: item for item in json.loads(text) if item["kind"] == "irregularity"}


def test_every_event_is_put_on_the_board(items: dict[str, dict[str, Any]]) -> None:
    assert EVENTS.keys() == items.keys()
    # What an item says of its clause and what is expected here are the same.
    for name, item in items.items():
        named = item["clause"].split("/")[0]
        if EVENTS[name][1] and name not in ("X21", "X23"):
            assert EVENTS[name][1] == (named,), name


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_is_judged_by_its_clause(items: dict[str, dict[str, Any]], name: str) -> None:
    position = parse_fen(items[name]["fen"], lenient=True)
    happens, expected = EVENTS[name]
    assert happens(position) == expected
