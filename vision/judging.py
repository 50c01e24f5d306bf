"""What no legal move explains: brings it before the arbiter once the player has let go."""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from rules import (
    Color,
    Game,
    Judgement,
    JudgementKind,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    Verdict,
    board_size,
    explaining_moves,
    judge,
    legal_moves,
    to_fen,
)
from rules import Evidence as ArbiterEvidence

from .contents import contents_of, kind_of, piece_of, squares_of
from .course import Course
from .events import BoardEvent, DisturbanceNoticed, DisturbanceRestored, IrregularityFlagged
from .evidence import Contents, SquareFilter
from .execution import Crowns, execution_of
from .hands import HandTracker
from .hypotheses import Hypothesis, Irregularity, Rectification
from .misreads import Misread, misread_move
from .reading import SquareState
from .weighing import Places, Weighing

_NO_DOUBT: Final = 1.5
"""Natural logarithm; with less, no square speaks against the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingSettings:
    """How long a player may hold, correct and finish before the arbiter speaks."""

    grace_ms: int = 2000
    calm_ms: int = 500
    """A board that stood so long without a hand was meant, if the opponent answers it."""
    untouched_factor: int = 3
    """Patience where no hand was seen near the squares, or an arm rests on the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What the arbiter said, and the courses of play that are possible then."""

    events: tuple[BoardEvent, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = field(default=())
    """What the beam goes on with; empty where nothing changes."""
    misread: Misread | None = None
    """A square that must have been misread, if what happened was a legal move."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Calm:
    """A board that stood still without a hand."""

    seen: Contents
    since_ms: int
    hand: Color | None
    came_ms: int
    """When the hand before it had come: one hand leaves one board."""
    is_misread: bool
    """Whether it is a legal move but for a square that reads as it did before."""


class Judge:
    """Watches for boards that no legal move explains."""

    def __init__(self, settings: JudgingSettings) -> None:
        self._settings = settings
        self._flags = 0
        self._judged: Contents | None = None
        self._is_disturbed = False
        self._shown: Contents | None = None
        self._shown_ms = 0
        self._calm: tuple[_Calm, ...] = ()
        self._hand: Color | None = None
        self._came_ms = 0
        self._crowns = Crowns()

    def update(
        self,
        view: Weighing,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
        is_last: bool = False,
    ) -> Finding:
        """Judge the board of this moment if it is time; at the end of the film none is left."""
        odd = view.odd
        self._hand, self._came_ms = hands.color, hands.came_ms
        if not len(odd):
            return (
                Finding()
                if hands.is_present
                else self._at_rest(view, course, squares, hands, at_ms)
            )
        seen = _seen(view, course.game.position, squares)
        if self._shown is None or (kind_of(seen) != kind_of(self._shown)).any():
            self._shown_ms = at_ms
        self._shown = seen
        if (hands.hidden[odd] > 0.5).any():
            return Finding()
        changed = np.flatnonzero(kind_of(seen) != kind_of(contents_of(course.game.position)))
        if not len(changed):
            return Finding()
        since_ms = int(squares.since_ms[changed].max())
        misread = misread_move(course.game.position, seen, squares)
        if self._note_calm(seen, since_ms, hands, at_ms, is_misread=misread is not None):
            answered = self._answered(seen, course, at_ms)
            if answered is not None:
                return answered
        stood_ms = max(since_ms, self._shown_ms)
        stands = at_ms - max(hands.present_ms, since_ms) >= self._settings.grace_ms
        if not (is_last and stands) and not self._is_time(changed, stood_ms, hands, at_ms):
            return Finding()
        if self._judged is not None and (kind_of(seen) == kind_of(self._judged)).all():
            return Finding()
        if misread is not None:
            return Finding(misread=misread)
        self._judged = seen
        return self._judge(seen, course, since_ms, at_ms)

    def _at_rest(
        self,
        view: Weighing,
        course: Course,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
    ) -> Finding:
        """Take note of a board that shows what the record says."""
        self._judged = self._shown = None
        if view.doubt.max() < _NO_DOUBT:
            self._calm = ()
        if not view.best.steps:
            self._crowns.update(view.best.contents, squares, hands)
        return self._restored(view, course, at_ms)

    def _note_calm(
        self,
        seen: Contents,
        since_ms: int,
        hands: HandTracker,
        at_ms: int,
        *,
        is_misread: bool,
    ) -> bool:
        """Remember the last two boards that stood without a hand; tell whether one is new."""
        still_ms = at_ms - max(hands.present_ms, since_ms)
        if still_ms < self._settings.calm_ms:
            return False
        if self._calm and (kind_of(seen) == kind_of(self._calm[-1].seen)).all():
            return False
        calm = _Calm(
            seen=seen,
            since_ms=since_ms,
            hand=self._hand,
            came_ms=hands.came_ms,
            is_misread=is_misread,
        )
        earlier = [each for each in self._calm if each.came_ms != calm.came_ms]
        self._calm = (*earlier[-1:], calm)
        return True

    def _answered(self, seen: Contents, course: Course, at_ms: int) -> Finding | None:
        """Judge the board before this one, where a legal move by the opponent led on from it."""
        for calm in self._calm[:-1]:
            if calm.is_misread:
                continue
            judgement = self._ask(calm.seen, course.game, calm.hand)
            on_dark, _ = _pieces(seen, course.game.variant)
            if judgement.kind is JudgementKind.IRREGULAR and explaining_moves(
                judgement.position, on_dark, most=1
            ):
                self._calm = ()
                return self._flagged(judgement, course, calm.since_ms, at_ms)
        return None

    def after_move(
        self,
        before: Game,
        move: Move,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
    ) -> list[BoardEvent]:
        """Return flags for a legal move that was carried out irregularly, or left uncrowned."""
        position = before.position
        after = position.after(move)
        judgement = judge(
            position,
            self._crowns.seen(position, move, after, squares),
            history=before.positions[:-1],
            uncrowned=self._crowns.single_on(position),
            evidence=execution_of(position, move, squares, hands),
        )
        events: list[BoardEvent] = []
        for verdict in judgement.verdicts:
            if judgement.kind is not JudgementKind.MOVES or not verdict.clause.startswith("5."):
                continue
            self._flags += 1
            course.note_flag(self._flags, verdict.color)
            is_certain = verdict.certain and (
                self._crowns.is_readable or verdict.clause not in ("5.4.15", "5.4.16")
            )
            events.append(_flag_event(replace(verdict, certain=is_certain), after, at_ms, at_ms))
        return events

    def _is_time(self, changed: Places, since_ms: int, hands: HandTracker, at_ms: int) -> bool:
        """Tell whether the player has let go for long enough."""
        grace_ms = self._settings.grace_ms
        near_ms = int(hands.near_ms[changed].max())
        was_touched = near_ms >= since_ms - 5 * grace_ms
        patience_ms = grace_ms * (1 if was_touched else self._settings.untouched_factor)
        if at_ms - max(hands.present_ms, since_ms) >= patience_ms:
            return True
        rests_ms = 2 * self._settings.untouched_factor * grace_ms
        return at_ms - since_ms >= rests_ms and at_ms - near_ms >= grace_ms

    def _restored(self, view: Weighing, course: Course, at_ms: int) -> Finding:
        if not self._is_disturbed or view.best.line != course.line:
            return Finding()
        self._is_disturbed = False
        return Finding(events=(DisturbanceRestored(at_ms=at_ms, seen_ms=at_ms),))

    def _judge(self, seen: Contents, course: Course, since_ms: int, at_ms: int) -> Finding:
        """Ask the arbiter about the board."""
        game = course.game
        judgement = self._ask(seen, game, self._hand)
        if _is_removal(judgement) and self._came_ms <= course.moved_ms:
            on_dark, _ = _pieces(seen, game.variant)
            whole = _as_part_of_last_move(game, on_dark, ArbiterEvidence(hand=self._hand))
            if whole is not None:
                return self._flagged(whole, course, since_ms, at_ms, also=game.until(game.ply - 1))
        if judgement.kind is JudgementKind.DISTURBED:
            return self._disturbed(judgement, since_ms, at_ms)
        if judgement.kind is JudgementKind.IRREGULAR:
            return self._flagged(judgement, course, since_ms, at_ms)
        return Finding()

    def _ask(self, seen: Contents, game: Game, hand: Color | None) -> Judgement:
        """Let the arbiter compare a board with the position that was recorded last."""
        on_dark, on_light = _pieces(seen, game.variant)
        return judge(
            game.position,
            on_dark,
            history=game.positions[:-1],
            uncrowned=self._crowns.single_on(game.position),
            light_squares=on_light or None,
            evidence=ArbiterEvidence(hand=hand),
        )

    def _disturbed(self, judgement: Judgement, since_ms: int, at_ms: int) -> Finding:
        if self._is_disturbed:
            return Finding()
        self._is_disturbed = True
        return Finding(
            events=(DisturbanceNoticed(at_ms=since_ms, seen_ms=at_ms, squares=judgement.squares),)
        )

    def _flagged(
        self,
        judgement: Judgement,
        course: Course,
        since_ms: int,
        at_ms: int,
        *,
        also: Game | None = None,
    ) -> Finding:
        """Tell the irregularity; the game goes on from the board, from before it or `also`."""
        verdict = judgement.verdicts[0]
        self._flags += 1
        number = self._flags
        before = course.game
        after, takes_back = _continued(before, judgement)
        step = Irregularity(number=number, offender=verdict.color, takes_back=takes_back)
        course.interrupt(step, after)
        line = course.line
        back = [(each, course.before(each)) for each in course.open_board_flags]
        if also is not None:
            back.append((number, also))
        ways_back = tuple(
            Rectification(number=each, ply=game.ply, game=game) for each, game in back
        )
        standing = [Hypothesis(game=after, line=line, ways_back=ways_back)]
        if _is_removal(judgement):
            other = judgement.position.with_side_to_move(judgement.position.side_to_move.other)
            standing.append(
                Hypothesis(game=before.set_up(other), line=line, score=-2.0, ways_back=ways_back)
            )
        return Finding(
            events=(_flag_event(verdict, judgement.position, since_ms, at_ms),),
            hypotheses=tuple(standing),
        )


def _pieces(
    seen: Contents, variant: Variant
) -> tuple[dict[Square, Piece], dict[tuple[int, int], Piece]]:
    """Return the pieces on playing squares, and those on light squares by (row, column)."""
    numbers = squares_of(variant)
    size = board_size(variant)
    on_dark: dict[Square, Piece] = {}
    on_light: dict[tuple[int, int], Piece] = {}
    for place in np.flatnonzero(seen).tolist():
        if place in numbers:
            on_dark[numbers[place]] = piece_of(int(seen[place]))
        else:
            on_light[divmod(place, size)] = piece_of(int(seen[place]))
    return on_dark, on_light


def _flag_event(
    verdict: Verdict, position: Position, since_ms: int, at_ms: int
) -> IrregularityFlagged:
    return IrregularityFlagged(
        at_ms=since_ms,
        seen_ms=at_ms,
        clause=verdict.clause,
        color=verdict.color,
        move=verdict.move,
        squares=verdict.squares,
        certain=verdict.certain,
        text=verdict.text,
        fen=to_fen(position),
    )


def _is_removal(judgement: Judgement) -> bool:
    return bool(judgement.verdicts) and judgement.verdicts[0].clause == "5.4.7"


def _as_part_of_last_move(
    game: Game, on_dark: dict[Square, Piece], evidence: ArbiterEvidence
) -> Judgement | None:
    """Judge pieces that went right after a capture together with it (5.4.12, 5.4.14)."""
    last = game.steps[-1] if game.steps else None
    if not isinstance(last, Move) or not last.captured:
        return None
    judgement = judge(game.positions[-2], on_dark, history=game.positions[:-2], evidence=evidence)
    is_named = judgement.verdicts and judgement.verdicts[0].clause in ("5.4.12", "5.4.14")
    return judgement if is_named else None


def _continued(game: Game, judgement: Judgement) -> tuple[Game, int]:
    """Return the game from the judged board on, and how many moves were taken back."""
    position = judgement.position
    for back in range(1, min(4, game.ply) + 1):
        earlier = game.until(game.ply - back)
        was = earlier.position
        if was == position or any(was.after(move) == position for move in legal_moves(was)):
            is_told = judgement.verdicts[0].clause == "5.4.4"
            return (earlier, back) if is_told else (game.set_up(position), 0)
    return game.set_up(position), 0


def _seen(view: Weighing, before: Position, squares: SquareFilter) -> Contents:
    """Return what the board shows: the best candidate, put right where it shows otherwise."""
    seen = view.best.contents.copy()
    seen[view.odd] = squares.likeliest[view.odd]
    was = contents_of(before)
    for man, king in (
        (SquareState.WHITE_MAN, SquareState.WHITE_KING),
        (SquareState.BLACK_MAN, SquareState.BLACK_KING),
    ):
        kind = kind_of(np.array([man]))[0]
        left = (kind_of(was) == kind) & (kind_of(seen) != kind)
        came = (kind_of(seen) == kind) & (kind_of(was) != kind)
        if (was[left] == king).any() and came.sum() == 1:
            seen[came] = king if (was[left] == king).all() else seen[came]
        elif not (was[left] == king).any():
            seen[came] = man
    return seen
