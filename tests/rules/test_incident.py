"""From the flag to the end of an irregularity."""

import pytest

from rules import (
    Color,
    Incident,
    IncidentState,
    Piece,
    Position,
    Square,
    Variant,
    judge,
    parse_fen,
    parse_move,
    to_fen,
)

FORGOTTEN = parse_fen("W:W28,31-50:B1-18,20,23")
"""White must take 28x19."""


def pieces_after(position: Position, *steps: tuple[int, int]) -> dict[Square, Piece]:
    pieces = dict(position.pieces)
    for start, end in steps:
        pieces[Square(end)] = pieces.pop(Square(start))
    return pieces


@pytest.fixture
def incident() -> Incident:
    return Incident.open(FORGOTTEN, judge(FORGOTTEN, pieces_after(FORGOTTEN, (33, 29))))


def test_an_incident_opens_with_its_verdict(incident: Incident) -> None:
    assert incident.is_open
    assert incident.verdict.clause == "5.4.6"
    assert incident.position == incident.standing
    assert incident.standing.side_to_move is Color.BLACK


def test_an_incident_needs_a_verdict() -> None:
    regular = judge(FORGOTTEN, dict(FORGOTTEN.pieces))
    with pytest.raises(ValueError, match="verdict"):
        Incident.open(FORGOTTEN, regular)


def test_the_position_before_rectifies(incident: Incident) -> None:
    done = incident.observe(dict(FORGOTTEN.pieces))
    assert done.state is IncidentState.RECTIFIED
    assert done.position == FORGOTTEN
    assert not done.is_open
    assert done.observe({}) is done


def test_the_opponents_move_accepts(incident: Incident) -> None:
    done = incident.observe(pieces_after(incident.standing, (12, 19)))
    assert not done.moves
    done = incident.observe(pieces_after(incident.standing, (17, 21)))
    assert done.state in (IncidentState.ACCEPTED, IncidentState.FLAGGED)


def test_what_stands_already_changes_nothing(incident: Incident) -> None:
    assert incident.observe(dict(incident.standing.pieces)) is incident


@pytest.fixture
def quiet() -> Incident:
    """White moved a man two squares; Black has no capture."""
    start = Position.start(Variant.INTERNATIONAL)
    return Incident.open(start, judge(start, pieces_after(start, (32, 23))))


def test_acceptance_tells_the_move_and_the_position_it_leads_to(quiet: Incident) -> None:
    capture = parse_move("19x28", quiet.standing)
    done = quiet.observe(dict(quiet.standing.after(capture).pieces))
    assert done.state is IncidentState.ACCEPTED
    assert done.moves == (capture,)
    assert done.position == quiet.standing.after(capture)


def test_two_moves_after_the_irregularity_accept_as_well(quiet: Incident) -> None:
    first = parse_move("19x28", quiet.standing)
    between = quiet.standing.after(first)
    second = parse_move("33x22", between)
    done = quiet.observe(dict(between.after(second).pieces))
    assert done.state is IncidentState.ACCEPTED
    assert done.moves == (first, second)


def test_half_a_rectification_is_not_enough() -> None:
    position = parse_fen("W:W28,32,40:B23,1")
    after = pieces_after(position, (28, 19))
    del after[Square(23)], after[Square(32)]
    incident = Incident.open(position, judge(position, after))
    assert incident.verdict.clause == "5.4.14"
    half = dict(after)
    half[Square(23)] = Piece.BLACK_MAN
    still = incident.observe(half)
    assert still.is_open
    assert still.is_partly_rectified
    assert still.observe(dict(position.pieces)).state is IncidentState.RECTIFIED


def test_another_mess_is_no_rectification(quiet: Incident) -> None:
    messed = pieces_after(quiet.standing, (40, 28))
    still = quiet.observe(messed)
    assert still.is_open
    assert not still.is_partly_rectified


def test_a_removal_that_is_completed_rectifies_with_the_move() -> None:
    position = parse_fen("W:W48:B24,K31,34,K42,43")
    after = pieces_after(position, (48, 19))
    del after[Square(43)], after[Square(34)]
    incident = Incident.open(position, judge(position, after))
    assert incident.verdict.clause == "5.4.11"
    del after[Square(24)]
    done = incident.observe(after)
    assert done.state is IncidentState.RECTIFIED
    assert done.moves == (parse_move("48x19", position),)
    assert to_fen(done.position) == "B:W19:BK31,K42"


def test_a_take_back_stays_open_until_the_opponent_has_moved() -> None:
    start = Position.start(Variant.INTERNATIONAL)
    played = start.after(parse_move("32-28", start))
    incident = Incident.open(played, judge(played, dict(start.pieces), history=[start]))
    assert incident.standing.side_to_move is Color.WHITE
    other = start.after(parse_move("33-28", start))
    replayed = incident.observe(dict(other.pieces))
    assert replayed.is_open
    assert replayed.position == other
    reply = parse_move("19-23", other)
    done = replayed.observe(dict(other.after(reply).pieces))
    assert done.state is IncidentState.ACCEPTED
    assert done.position == other.after(reply)


def test_the_arbiter_decides(incident: Incident) -> None:
    position = parse_fen("B:W19,31-50:B1-18,20")
    decided = incident.decide(position)
    assert decided.state is IncidentState.DECIDED
    assert decided.position == position
    assert not decided.is_open
