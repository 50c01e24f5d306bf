"""Every clause of 5.4 on random boards, by both colours, with men and with kings."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from rules import Color, Incident, IncidentState, JudgementKind, legal_moves
from tests.rules.irregular_cases import MAKERS, Irregular, random_position

CASES = 12
DRAWS = 6_000
REMARKS = {"4.11", "4.16"}
"""What may be told besides, without certainty."""

# A man cannot be played as an uncrowned king.
KINDS = [(clause, is_king) for clause in MAKERS for is_king in (False, True)]
KINDS.remove(("5.4.16", False))

of_every_kind = pytest.mark.parametrize(
    ("clause", "is_king"), KINDS, ids=[f"{c}-{'king' if k else 'man'}" for c, k in KINDS]
)
of_both_colors = pytest.mark.parametrize("side", Color, ids=lambda side: side.value)


def cases(clause: str, side: Color, *, is_king: bool) -> Iterator[Irregular]:
    """Yield irregularities under a clause from random boards, always the same ones."""
    chance = random.Random(f"{clause} {side.value} {is_king}")
    for _ in range(DRAWS):
        made = MAKERS[clause](random_position(chance, side), chance)
        if made is not None and made.actor.is_king is is_king:
            yield made


@of_every_kind
@of_both_colors
def test_an_irregularity_is_judged_by_its_clause(clause: str, is_king: bool, side: Color) -> None:
    found = list(islice(cases(clause, side, is_king=is_king), CASES))
    assert len(found) == CASES
    for made in found:
        judgement = made.judged()
        told = {verdict.clause for verdict in judgement.verdicts}
        assert told - REMARKS == {clause}, (made, judgement)
        first = next(verdict for verdict in judgement.verdicts if verdict.clause == clause)
        assert first.color is made.offender, (made, judgement)
        assert first.text
        assert set(first.squares) <= set(made.before.geometry.squares)


@of_every_kind
@of_both_colors
def test_it_is_rectified_or_accepted_as_the_board_says(
    clause: str, is_king: bool, side: Color
) -> None:
    for made in islice(cases(clause, side, is_king=is_king), CASES // 3):
        judgement = made.judged()
        incident = Incident.open(made.before, judgement)
        if judgement.kind is not JudgementKind.IRREGULAR:
            continue
        rectified = incident.observe(dict(made.before.pieces))
        assert rectified.state is IncidentState.RECTIFIED
        assert rectified.position == made.before
        standing = incident.standing
        if standing.side_to_move is not made.offender.other:
            continue
        mended = [made.before] + [made.before.after(move) for move in legal_moves(made.before)]
        for reply in legal_moves(standing)[:3]:
            after = dict(standing.after(reply).pieces)
            if not any(position.is_occupied_as(after) for position in mended):
                accepted = incident.observe(after)
                assert accepted.state is IncidentState.ACCEPTED
                assert accepted.position == standing.after(reply)
