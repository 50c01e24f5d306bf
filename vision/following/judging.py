"""What no legal move explains: told once the player has let go, or once the opponent answers."""

from dataclasses import dataclass, field, replace

import numpy as np

from rules import Game, Judgement, JudgementKind, Move, Position, Verdict, judge, to_fen

from ..events import BoardEvent, DisturbanceNoticed, DisturbanceRestored, IrregularityFlagged
from .arbitration import board_of, evidence_of, judged
from .contents import carried, contents_of, kind_of, places_of
from .course import Course
from .crowning import Crowns
from .departures import Suspicion, Suspicions, suspicion
from .evidence import Contents, SquareFilter
from .execution import execution_of
from .faults import Faults
from .hands import HandTracker
from .hypotheses import Departure, Hypothesis, Irregularity, Rectification
from .misreads import Misread, misread_move
from .touches import Touches
from .weighing import Places, Weighing


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingSettings:
    """How long a player may hold, correct and finish before the arbiter speaks."""

    grace_ms: int = 2000
    plain_ms: int = 300
    """What has come to stand on a square is plain after so long at best."""
    doubted_ms: int = 1000
    """What is plain at last may have been so for this long: it was doubted."""
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


class Judge:
    """Watches for boards that no legal move explains."""

    def __init__(self, settings: JudgingSettings) -> None:
        self._settings = settings
        self._flags = 0
        self._judged: Contents | None = None
        self._is_disturbed = False
        self._shown: Contents | None = None
        self._shown_ms = 0
        self._crowns = Crowns()
        self._touches = Touches()
        self._suspicions = Suspicions()

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The irregularities that may have happened since the last step of the record."""
        return self._suspicions.departures

    def update(
        self,
        view: Weighing,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        faults: Faults,
        at_ms: int,
        is_last: bool = False,
    ) -> Finding:
        """Judge the board of this moment if it is time; at the end of the film none is left.

        Args:
            view: what may have happened; its odd squares are those that nothing explains.
            course: the record.
            squares: what the squares show.
            hands: where hands are.
            faults: what is known to read wrong.
            at_ms: source time.
            is_last: no reading follows.
        """
        position = course.game.position
        self._crowns.update(position, squares, hands, at_ms)
        self._touches.update(position, squares, hands, at_ms)
        if len(view.odd) or view.best.steps:
            single = self._crowns.single_on(position)
            self._suspicions.note(
                course, squares=squares, hands=hands, faults=faults, uncrowned=single, at_ms=at_ms
            )
        found = self._suspected(view, course)
        if found is None and not len(view.odd):
            return self._at_rest(view, course, hands, at_ms)
        if found is not None:
            seen = found.seen
        else:
            seen = view.best.contents.copy()
            seen[view.odd] = squares.likeliest[view.odd]
            seen = board_of(seen, position)
        if not self._has_stood(
            seen, view, course, squares=squares, hands=hands, at_ms=at_ms, is_last=is_last
        ):
            return Finding()
        if found is not None:
            return self._flagged(found, course, at_ms)
        return self._judge(seen, course, squares, hands, at_ms)

    def _has_stood(
        self,
        seen: Contents,
        view: Weighing,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
        is_last: bool,
    ) -> bool:
        """Tell whether a board that is not the recorded one has stood for long enough."""
        changed = _changed(seen, course)
        since_ms = int(squares.since_ms[changed].max(initial=0))
        held = contents_of(course.game.position)
        fresh = kind_of(seen) != kind_of(held if self._shown is None else self._shown)
        if fresh.any():
            plain_ms = int(squares.since_ms[fresh].max()) + self._settings.plain_ms
            self._shown_ms = min(max(plain_ms, at_ms - self._settings.doubted_ms), at_ms)
        self._shown = seen
        if not len(changed) or (hands.hidden[[*view.odd, *changed]] > 0.5).any():
            return False
        stands = at_ms - max(hands.present_ms, since_ms) >= self._settings.grace_ms
        stood_ms = max(since_ms, self._shown_ms)
        moved = carried(held, seen, squares.since_ms, within_ms=self._settings.grace_ms)
        is_moved = bool(moved[changed].all())
        return (is_last and stands) or self._is_time(
            changed, stood_ms, hands, at_ms, is_moved=is_moved
        )

    def _suspected(self, view: Weighing, course: Course) -> Suspicion | None:
        """Return the suspicion that the board shows and that nobody has answered."""
        best = view.best
        if len(view.odd) or len(best.steps) != 1 or best.hypothesis.line != course.line:
            return None
        (step,) = best.steps
        return self._suspicions.of(step) if isinstance(step, Irregularity) else None

    def answered(self, step: Irregularity, course: Course, at_ms: int) -> list[BoardEvent]:
        """Tell an irregularity from which the opponent has played on."""
        return [self._told(self._suspicions.of(step), step, course, at_ms)]

    def _at_rest(self, view: Weighing, course: Course, hands: HandTracker, at_ms: int) -> Finding:
        """Take note of a board that shows what the record says, or a legal move."""
        self._judged = self._shown = None
        return Finding() if hands.is_present else self._restored(view, course, at_ms)

    def after_move(
        self,
        before: Game,
        move: Move,
        course: Course,
        *,
        squares: SquareFilter,
        hands: HandTracker,
        since_ms: int,
        pressed_ms: int | None,
        at_ms: int,
    ) -> list[BoardEvent]:
        """Return flags for a legal move that was carried out irregularly, or left uncrowned.

        Args:
            before: the game before the move.
            move: what was played.
            course: the record, the move included.
            squares: what the squares show.
            hands: where hands are.
            since_ms: when the move before it was made.
            pressed_ms: when the clock was pressed after it; None where nobody has.
            at_ms: source time.
        """
        position = before.position
        after = position.after(move)
        how = execution_of(position, move, squares, hands, since_ms=since_ms, pressed_ms=pressed_ms)
        judgement = judge(
            position,
            self._crowns.seen(position, move),
            history=before.positions[:-1],
            uncrowned=self._crowns.single_on(position, moving=move.start),
            evidence=replace(how, touches=self._touches.told(position)),
        )
        landed_ms = int(squares.since_ms[places_of(position.variant)[move.end - 1]])
        self._crowns.after_move(position, move, landed_ms)
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

    def _is_time(
        self, changed: Places, since_ms: int, hands: HandTracker, at_ms: int, *, is_moved: bool
    ) -> bool:
        """Tell whether the player has let go for long enough; a moved man was touched."""
        grace_ms = self._settings.grace_ms
        near_ms = int(hands.near_ms[changed].max())
        was_touched = is_moved or near_ms >= since_ms - 5 * grace_ms
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

    def _judge(
        self,
        seen: Contents,
        course: Course,
        squares: SquareFilter,
        hands: HandTracker,
        at_ms: int,
    ) -> Finding:
        """Ask the arbiter about a board that nothing explains well."""
        if self._judged is not None and (kind_of(seen) == kind_of(self._judged)).all():
            return Finding()
        game = course.game
        misread = misread_move(game.position, seen, squares)
        if misread is not None:
            return Finding(misread=misread)
        self._judged = seen
        changed = _changed(seen, course)
        since_ms = int(squares.since_ms[changed].max())
        evidence = evidence_of(changed, squares, hands)
        judgement, also = judged(
            seen,
            game,
            evidence,
            self._crowns.single_on(game.position),
            may_complete=hands.came_ms <= course.moved_ms,
        )
        if judgement.kind is JudgementKind.DISTURBED:
            return self._disturbed(judgement, since_ms, at_ms)
        if judgement.kind is JudgementKind.IRREGULAR:
            number = self._suspicions.number()
            found = suspicion(judgement, course, seen, since_ms, number=number, also=also)
            return self._flagged(found, course, at_ms)
        return Finding()

    def _disturbed(self, judgement: Judgement, since_ms: int, at_ms: int) -> Finding:
        if self._is_disturbed:
            return Finding()
        self._is_disturbed = True
        return Finding(
            events=(DisturbanceNoticed(at_ms=since_ms, seen_ms=at_ms, squares=judgement.squares),)
        )

    def _flagged(self, found: Suspicion, course: Course, at_ms: int) -> Finding:
        """Tell the irregularity; the game goes on from the board, from before it or `also`."""
        event = self._told(found, found.departures[0].step, course, at_ms)
        back = [(each, course.before(each)) for each in course.open_board_flags]
        if found.also is not None:
            back.append((self._flags, found.also))
        ways_back = tuple(
            Rectification(number=each, ply=game.ply, game=game) for each, game in back
        )
        standing = tuple(
            Hypothesis(game=each.step.game, line=course.line, score=each.prior, ways_back=ways_back)
            for each in found.departures
        )
        return Finding(events=(event,), hypotheses=standing)

    def _told(
        self, found: Suspicion, step: Irregularity, course: Course, at_ms: int
    ) -> IrregularityFlagged:
        self._flags += 1
        course.interrupt(self._flags, step)
        judgement = found.judgement
        return _flag_event(judgement.verdicts[0], judgement.position, found.since_ms, at_ms)


def _changed(seen: Contents, course: Course) -> Places:
    """Return the squares that differ from the recorded position, men and kings taken alike."""
    return np.flatnonzero(kind_of(seen) != kind_of(contents_of(course.game.position)))


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
