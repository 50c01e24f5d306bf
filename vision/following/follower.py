"""Follows the game on the board: readings in, moves and irregularities out."""

from dataclasses import replace
from typing import Final

import numpy as np

from rules import Color, DrawProfile, Game, Move, Position, Variant, board_size

from ..events import BoardEvent
from ..reading import Reading
from .clearing import Clearing
from .contents import changes_of
from .course import Course
from .evidence import CONTENTS, SquareFilter
from .faults import Faults, is_capturing
from .follower_settings import FollowerSettings
from .hands import HandTracker
from .hypotheses import Beam, Hypothesis, Irregularity, Line, Rectification
from .judging import Judge
from .presses import Presses
from .revisions import revised
from .search import Search
from .settling import Patience
from .stages import REMEMBERED_STEPS, Stages
from .start_gate import StartGate, StartProblem
from .weighing import Weighing, weigh

_REACHED_MS: Final = 1000
"""A hand may have made a move that was over its squares so long before the last one was weighed."""
_FAULTS_AT_ONCE: Final = 2
"""Where more squares show otherwise, the board is another one and the reader not at fault."""


class Follower:
    """Follows one game from its start position, or from the position in which it joins."""

    def __init__(
        self,
        variant: Variant,
        *,
        start: Position | None = None,
        profile: DrawProfile | None = None,
        settings: FollowerSettings | None = None,
    ) -> None:
        self._settings = settings or FollowerSettings()
        self._profile = profile
        self._size = board_size(variant)
        self._squares = SquareFilter(self._size, self._settings.evidence)
        self._hands = HandTracker(self._size)
        self._faults = Faults(self._settings.faults)
        self._gate = StartGate(variant, start, self._settings.start)
        self._course = Course(Game.start(self._gate.start, profile=profile))
        self._judge = Judge(self._settings.judging)
        self._clearing = Clearing()
        self._beam: Beam | None = None
        self._patience = Patience(self._settings.settling)
        self._stages = Stages(self._size * self._size, self._settings.stage_readings)
        self._search = Search(self._settings.search)
        self._presses = Presses(self._settings.presses)
        self._began_ms = 0
        self._last_move_ms = 0

    @property
    def game(self) -> Game:
        """The game as recorded so far."""
        return self._course.game

    @property
    def position(self) -> Position:
        """The position as recorded so far."""
        return self._course.game.position

    @property
    def is_started(self) -> bool:
        """Tell whether the start position has stood, or the game has been joined."""
        return self._course.is_started

    @property
    def is_ended(self) -> bool:
        """Tell whether the game has its result; nothing is recorded any more."""
        return self._course.is_ended

    @property
    def start_problems(self) -> tuple[StartProblem, ...]:
        """What keeps the game from starting, square by square, as it was seen last."""
        return () if self.is_started else self._gate.problems

    def update(self, reading: Reading) -> tuple[BoardEvent, ...]:
        """Take one reading into account; return what has become certain by it.

        Raises:
            ValueError: the reading is of a board of another size.
        """
        shape = (self._size, self._size, CONTENTS + 1)
        if reading.log_probabilities.shape != shape:
            raise ValueError(
                f"log_probabilities must be {shape}, got {reading.log_probabilities.shape}"
            )
        if self.is_ended or reading.is_stale:
            return ()
        self._hands.update(reading.log_probabilities, reading.at_ms, reading.covered)
        self._squares.update(reading.log_probabilities, reading.at_ms, self._hands.near_ms)
        if self._beam is None:
            return tuple(self._begin(reading.at_ms))
        return tuple(self._follow(self._beam, reading.at_ms))

    def press(self, by: Color) -> None:
        """Take into account that a player has just pressed the clock: he has moved."""
        if self.is_started and not self.is_ended:
            self._presses.note(by, self._course.game, self._squares.at_ms)

    def finish(self, at_ms: int) -> tuple[BoardEvent, ...]:
        """Return what can be told at the end of the film: what would settle or be flagged."""
        if self._beam is None or self.is_ended:
            return ()
        view = self._weigh(self._beam)
        events = self._settle(self._beam, view, at_ms, is_last=True)
        if not events:
            events = self._judge_board(self._beam, view, at_ms, is_last=True)
        if self._course.is_started and not self._course.open_board_flags:
            events += self._course.end(at_ms, at_ms)
        return tuple(events)

    def _begin(self, at_ms: int) -> list[BoardEvent]:
        """Let the game begin when the gate opens."""
        positions = self._gate.update(self._squares, self._hands, at_ms)
        if not positions:
            return []
        games = [Game.start(position, profile=self._profile) for position in positions]
        self._beam = Beam(
            [Hypothesis(game=game) for game in games], self._settings.priors, self._settings.width
        )
        self._began_ms = at_ms
        self._course.game = games[0]
        if len(games) == 1 and not self._gate.problems:
            return self._course.start(games[0], at_ms, at_ms)
        return []

    def _weigh(self, beam: Beam) -> Weighing:
        squares = self._squares
        candidates = beam.candidates(
            squares.belief,
            self._stages.evidence(squares),
            self._search.found,
            unreached=self._hands.over_ms < self._stages.began_ms - _REACHED_MS,
        )
        candidates = self._presses.weigh(candidates, self._course.game)
        view = weigh(candidates, self._squares, self._settings.priors)
        return view.as_told(self._course.line, self._settings.settling.sure)

    def _follow(self, beam: Beam, at_ms: int) -> list[BoardEvent]:
        """Weigh what may have happened and tell what has become certain."""
        view = self._weigh(beam)
        if self._look_back(beam, view, at_ms):
            view = self._weigh(beam)
        self._patience.update(view, self._course.line, at_ms)
        self._learn(beam, view, at_ms)
        events = self._settle(beam, view, at_ms)
        if not events:
            events = self._judge_board(beam, view, at_ms)
        if not events:
            events = self._end(at_ms)
        return events

    def _learn(self, beam: Beam, view: Weighing, at_ms: int) -> None:
        """Let a quiet board count for the stage and for what the reader gets wrong."""
        if view.best.steps or view.best.line != self._course.line:
            return
        if len(view.odd) <= _FAULTS_AT_ONCE and not is_capturing(
            self.position, view.odd, self._squares, self._course.moved_ms
        ):
            self._faults.learn(view.best.contents, self._squares, self._hands, at_ms)
        if len(view.odd):
            return
        self._stages.add(self._squares)
        if self._stages.is_confirmed:
            beam.confirm(len(self._course.line))
        seen = np.flatnonzero(self._hands.hidden < 0.2)
        self._squares.learn_outliers(view.best.contents, seen)

    def _look_back(self, beam: Beam, view: Weighing, at_ms: int) -> bool:
        """Look for unseen moves and for a wrong record; return whether anything was looked for."""
        if not self._search.update(view, self._squares, self._hands, at_ms):
            return False
        hypothesis = view.best.hypothesis
        if len(view.odd) and hypothesis.line == self._course.line:
            beam.add(
                revised(
                    self._stages.told,
                    self._stages.whole + self._squares.log_belief,
                    view.odd,
                    line=self._course.line,
                    score=hypothesis.score + self._settings.priors.revision,
                )
            )
        return True

    def _settle(
        self, beam: Beam, view: Weighing, at_ms: int, *, is_last: bool = False
    ) -> list[BoardEvent]:
        """Tell the steps that are over."""
        events: list[BoardEvent] = []
        line = view.best.line
        told = self._course.line
        if line[: len(told)] != told:
            events = self._revise(view, at_ms)
        while not events or len(self._course.line) < len(line):
            step_events = self._settle_next(view, at_ms, is_last=is_last)
            if not step_events:
                break
            events += step_events
        is_open = self._patience.is_left_open(view, self._hands, at_ms)
        known = len(self._course.line)
        if events or is_open or self._patience.stands(view, known, self._squares, self._hands):
            self._next_stage(beam, view, is_open=is_open)
        return events

    def _settle_next(self, view: Weighing, at_ms: int, *, is_last: bool) -> list[BoardEvent]:
        """Tell the next step of the best line if it is over."""
        course = self._course
        length = len(course.line)
        line = view.best.line[: length + 1]
        if len(line) == length or line[:length] != course.line:
            return []
        step = line[-1]
        if isinstance(step, Irregularity):
            return self._tell_answered(view, step, at_ms, is_last=is_last)
        places = self._places(step)
        if not self._is_over(view, line, places, at_ms, is_last=is_last):
            return []
        if isinstance(step, Rectification):
            return course.rectify(step, self._patience.since_ms(line, at_ms), at_ms)
        return self._tell_move(view, step, places, at_ms)

    def _is_over(
        self, view: Weighing, line: Line, places: list[int], at_ms: int, *, is_last: bool
    ) -> bool:
        """Tell whether the last step of `line` is over; at the end of the film if likely.

        Nothing will tell apart then what led to the same board: the likeliest was played.
        """
        if is_last:
            return view.alike(line, len(self._course.line)) >= self._settings.settling.sure
        return self._patience.is_settled(
            line,
            view,
            places,
            known=len(self._course.line),
            is_released=self._presses.is_released(self._course.game),
            squares=self._squares,
            hands=self._hands,
            at_ms=at_ms,
        )

    def _tell_answered(
        self, view: Weighing, step: Irregularity, at_ms: int, *, is_last: bool
    ) -> list[BoardEvent]:
        """Tell an irregularity once the move by which the game went on from it is over."""
        line = view.best.line[: len(self._course.line) + 2]
        answer = line[-1]
        if not isinstance(answer, Move):
            return []
        places = [place for place, _, _ in changes_of(step.game.position, answer)]
        if not self._is_over(view, line, places, at_ms, is_last=is_last):
            return []
        self._stages.clear()
        return self._judge.answered(step, self._course, at_ms)

    def _tell_move(
        self, view: Weighing, move: Move, places: list[int], at_ms: int
    ) -> list[BoardEvent]:
        course = self._course
        line = (*course.line, move)
        events: list[BoardEvent] = []
        if not course.is_started:
            begun = view.best.hypothesis.game.until(0)
            events += course.start(begun, self._began_ms, at_ms)
        happened_ms = self._patience.since_ms(line, at_ms)
        if len(line) == len(view.best.line) and places:
            happened_ms = int(self._squares.since_ms[places].max())
        happened_ms = min(max(happened_ms, self._last_move_ms), at_ms)
        self._last_move_ms = happened_ms
        if not course.has_turn(move):
            events += course.pass_turn(happened_ms, at_ms)
        is_present = course.line == view.best.hypothesis.line
        present = self._stages.evidence(self._squares) if is_present else None
        self._stages.tell(course.game, course.line, move, present)
        before, since_ms = course.game, course.moved_ms
        sure = view.mass(line, len(course.line))
        events += course.settle(move, at_ms=happened_ms, seen_ms=at_ms, confidence=sure)
        if len(line) == len(view.best.line):
            events += self._judge.after_move(
                before,
                move,
                course,
                squares=self._squares,
                hands=self._hands,
                since_ms=since_ms,
                pressed_ms=self._presses.pressed_ms(course.game),
                at_ms=at_ms,
            )
        return events

    def _places(self, step: object) -> list[int]:
        """Return the places that the next step of the record changes."""
        if not isinstance(step, Move):
            return []
        return [place for place, _, _ in changes_of(self._course.game.position, step)]

    def _revise(self, view: Weighing, at_ms: int) -> list[BoardEvent]:
        """Tell that the record was wrong, once another past has been likelier for long.

        Where the game goes on meanwhile it is enough that it is the likeliest: a square that cannot
        be read would hold back all moves to come.
        """
        hypothesis = view.best.hypothesis
        line = hypothesis.line
        held_ms = self._patience.held_ms(line, at_ms)
        settling = self._settings.settling
        is_sure = held_ms >= settling.revise_ms and view.mass(line) >= settling.sure
        if not is_sure and not self._patience.is_behind(at_ms):
            return []
        if not self._course.is_started:
            return []
        self._stages.clear()
        return self._course.revise(
            hypothesis.game,
            line,
            at_ms=at_ms - max(held_ms, 0),
            seen_ms=at_ms,
            confidence=view.mass(line),
        )

    def _next_stage(self, beam: Beam, view: Weighing, *, is_open: bool) -> None:
        """Let the candidates be the hypotheses from here on."""
        if view.best.steps or is_open:
            self._stages.end(view.best.hypothesis.line, self._squares)
            beam.advance(view.candidates, self._squares.belief.stays)
            self._presses.keep()
            self._search.clear()
        beam.settle(self._course.line)
        excess = max(len(self._course.line) - REMEMBERED_STEPS, 0)
        beam.forget(self._course.forget(excess))
        self._stages.shorten(excess, len(self._course.line))

    def _judge_board(
        self, beam: Beam, view: Weighing, at_ms: int, *, is_last: bool = False
    ) -> list[BoardEvent]:
        """Flag what no legal move explains, after a time of grace."""
        if not self._course.is_started:
            self._give_up_start(view, at_ms)
            return []
        unproven = self._faults.are_unproven(view.best.contents, self._squares)
        if len(view.best.steps) > 1:
            # The opponent has answered: what was misread then will show, a fault would not.
            unproven |= self._squares.may_be_misread(view.best.contents)
        view = replace(view, odd=view.odd[~unproven[view.odd]])
        found = self._judge.update(
            view,
            self._course,
            squares=self._squares,
            hands=self._hands,
            faults=self._faults,
            at_ms=at_ms,
            is_last=is_last,
        )
        beam.departures = self._judge.departures
        if found.misread is not None:
            self._squares.excuse_one(found.misread.place, found.misread.held, found.misread.shown)
        if found.hypotheses:
            beam.hypotheses = found.hypotheses
            self._stages.begin(self._squares)
            self._stages.clear()
            self._search.clear()
        return list(found.events)

    def _give_up_start(self, view: Weighing, at_ms: int) -> None:
        """Go back to the gate when the board no longer shows what the game began from."""
        settings = self._settings.start
        stale_ms = at_ms - self._began_ms
        if len(view.odd) > settings.tolerated and stale_ms > settings.join_ms:
            since_ms = int(self._squares.since_ms[view.odd].max())
            if at_ms - since_ms > settings.join_ms:
                self._beam = None

    def _end(self, at_ms: int) -> list[BoardEvent]:
        """Tell the result when it has stood for a moment."""
        course = self._course
        if not course.is_started:
            return []
        reason = self._clearing.update(self.position, self._squares, self._hands, at_ms)
        if reason is not None and course.game.ply:
            return course.break_off(reason, at_ms, at_ms)
        if course.game.outcome is None or course.open_board_flags:
            return []
        if at_ms - self._last_move_ms < self._settings.end_ms:
            return []
        return course.end(self._last_move_ms, at_ms)
