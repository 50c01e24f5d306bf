"""The scores of many pictures added up by condition: the table of `damcam read --score`.

Boards that are cut off by the picture's edge have a row of their own and are in no other. Squares,
kinds and the calibration are those of the boards that were found; `exact` counts every labelled
board, so that one that was not found is not exact.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .scoring import CUT_OFF, ConfidenceBin, Score

HEADINGS: Final = (
    "condition",
    "pictures",
    "located",
    "squares\nright",
    "boards\nexact",
    "man or\nking",
    "side:\nstart",
    "side:\n8+ men",
    "2.4 told\nat start",
    "2.4 false\nalarms",
    "calibr.\nerror",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The sum over the pictures of one condition."""

    condition: str
    pictures: int
    located: int
    graded: int
    """Pictures whose squares are labelled."""
    squares: int
    squares_right: int
    exact: int
    pieces: int
    kinds_right: int
    """Men read as men and kings as kings, seen from low enough to be told apart."""
    sided: int
    """Boards found whose label tells White's side."""
    sides_right: int
    starts: int
    """Of those, starting positions of boards that lie right."""
    start_sides_right: int
    full: int
    """Of those, positions with many men of both sides."""
    full_sides_right: int
    misplaced: int
    """Starting positions on boards that lie wrong (2.4)."""
    misplaced_told: int
    placed: int
    """Boards that lie right."""
    false_alarms: int
    calibration_error: float | None
    """Mean difference of confidence and share right over 15 bins, 0-1; None without squares."""


def tallies(scores: Sequence[Score]) -> tuple[Tally, ...]:
    """Return one tally a condition, most pictures first, and the sum of all at the end."""
    names = {name for score in scores for name in score.conditions} - {CUT_OFF}
    rows = [tally(name, (score for score in scores if name in score.conditions)) for name in names]
    rows.sort(key=lambda row: (-row.pictures, row.condition))
    cut_off = [score for score in scores if CUT_OFF in score.conditions]
    if cut_off:
        rows.append(tally(CUT_OFF, cut_off))
    return (*rows, tally("all", (score for score in scores if CUT_OFF not in score.conditions)))


def tally(condition: str, scores: Iterable[Score]) -> Tally:
    """Add up the scores of one condition."""
    scores = tuple(scores)
    graded = [score for score in scores if score.labelled]
    sided = [score for score in scores if score.is_side_right is not None]
    starts = [score for score in sided if score.is_start and not score.is_misplaced]
    full = [score for score in sided if score.has_many_men]
    misplaced = [score for score in scores if score.is_misplaced and score.is_start]
    placed = [score for score in scores if score.is_compared and score.is_misplaced is False]
    return Tally(
        condition=condition,
        pictures=len(scores),
        located=sum(score.is_located for score in scores),
        graded=len(graded),
        squares=sum(score.squares for score in graded),
        squares_right=sum(score.squares_right for score in graded),
        exact=sum(score.is_exact for score in graded),
        pieces=sum(score.pieces for score in graded),
        kinds_right=sum(score.kinds_right for score in graded),
        sided=len(sided),
        sides_right=sum(bool(score.is_side_right) for score in sided),
        starts=len(starts),
        start_sides_right=sum(bool(score.is_side_right) for score in starts),
        full=len(full),
        full_sides_right=sum(bool(score.is_side_right) for score in full),
        misplaced=len(misplaced),
        misplaced_told=sum(score.is_misplaced_told for score in misplaced),
        placed=len(placed),
        false_alarms=sum(score.is_misplaced_told for score in placed),
        calibration_error=_calibration_error(graded),
    )


def _calibration_error(scores: Sequence[Score]) -> float | None:
    columns: list[tuple[ConfidenceBin, ...]] = list(
        zip(*(score.bins for score in scores if score.bins), strict=True)
    )
    squares = sum(each.squares for column in columns for each in column)
    if not squares:
        return None
    gap = 0.0
    for column in columns:
        right = sum(each.right for each in column)
        gap += abs(sum(each.confidence for each in column) - right)
    return gap / squares


def tally_rows(rows: Iterable[Tally]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of the table under HEADINGS."""
    for row in rows:
        error = row.calibration_error
        yield (
            row.condition,
            str(row.pictures),
            _percent(row.located, row.pictures),
            _percent(row.squares_right, row.squares, digits=2),
            _share(row.exact, row.graded),
            _percent(row.kinds_right, row.pieces, digits=2),
            _share(row.start_sides_right, row.starts),
            _share(row.full_sides_right, row.full),
            _share(row.misplaced_told, row.misplaced),
            _share(row.false_alarms, row.placed),
            "-" if error is None else f"{100 * error:.2f} %",
        )


def _percent(part: int, whole: int, *, digits: int = 1) -> str:
    return f"{100.0 * part / whole:.{digits}f} %" if whole else "-"


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}" if whole else "-"
