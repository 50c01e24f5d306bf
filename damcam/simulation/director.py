"""Turns the acts of a script into a plan: who moves when, along which way, how long it takes."""

from collections.abc import Iterable
from math import cos, sin, tau
from random import Random
from typing import Final, assert_never

from rules import Color

from .acts import (
    Act,
    Bump,
    Carry,
    Hover,
    Lamp,
    Leave,
    MovePlayed,
    Note,
    Nudge,
    Outage,
    PressClock,
    PutOn,
    PutRight,
    TakeOff,
    Think,
    Touch,
    Wait,
)
from .cast import CARRY_LIFT, Cast, distance
from .pace import Hand
from .plan import Gap, Man, Plan, Stamped, View, is_on_board
from .tracks import Pose, Spot, Track

KEEP_SHARE: Final = 0.5
"""How often the taken men are kept in the hand until the last one is off."""
BUMP_MS: Final = 250
STACKED: Final = 0.1
"""Squares within which men stand on one another."""


class Director:
    """Plans one film act by act."""

    def __init__(self, cast: Cast) -> None:
        """Begin with the men as they are set up."""
        self._cast = cast
        self._notes: list[Stamped] = []
        self._presses: list[tuple[int, Color]] = []
        self._released_ms = self._changed_ms = 0.0
        self._views: list[tuple[float, View]] = []
        self._gaps: list[Gap] = []
        self._lamp = Track(0.0, Pose(1.0, 0.0))
        self._stood: list[tuple[Man, Pose]] = []
        """Where men stood before they were bumped."""

    def run(self, script: Iterable[Act | Note]) -> Plan:
        """Return the plan of a whole script."""
        cast = self._cast
        for item in script:
            if isinstance(item, Note):
                self._note(item)
            else:
                self._do(item)
        for hand in cast.hands:
            cast.leave(hand)
        ends = [visit.end_ms for visits in cast.visits.values() for visit in visits]
        return Plan(
            size=cast.table.size,
            men=cast.men,
            visits=cast.visits,
            notes=self._notes,
            presses=self._presses,
            lamp=self._lamp,
            views=self._views,
            gaps=self._gaps,
            end_ms=max([cast.now_ms, *ends]),
        )

    def _note(self, note: Note) -> None:
        at_ms = self._released_ms if isinstance(note, MovePlayed) else self._changed_ms
        stamped = Stamped(at_ms=round(at_ms), done_ms=round(self._cast.now_ms), note=note)
        self._notes.append(stamped)

    def _do(self, act: Act) -> None:
        cast = self._cast
        match act:
            case Think():
                cast.now_ms += cast.random.uniform(*cast.pace.think_ms)
            case Wait(ms=ms):
                cast.now_ms += ms
            case Carry(by=by, path=path):
                self._carry(Hand(by=by), path)
            case TakeOff(by=by, spots=spots, with_other_hand=is_other):
                self._take_off(Hand(by=by, is_other=is_other), spots)
            case PutOn(by=by, is_white=is_white, spot=spot):
                self._put_on(Hand(by=by), is_white, spot)
            case Leave(by=by):
                self._leave(by)
            case PressClock(by=by):
                self._press(Hand(by=by))
            case Hover(by=by, spot=spot, ms=ms):
                cast.bring(Hand(by=by), spot, lift=0.5)
                cast.now_ms += ms
            case Touch(by=by, spot=spot, lift=lift, ms=ms):
                self._touch(Hand(by=by), spot, lift, ms)
            case Bump():
                self._bump(act)
            case PutRight(by=by):
                self._put_right(Hand(by=by))
            case Nudge() | Lamp() | Outage():
                self._disturb_camera(act)
            case unknown:
                assert_never(unknown)

    def _carry(self, hand: Hand, path: tuple[Spot, ...]) -> None:
        cast = self._cast
        men = cast.men_at(path[0])
        cast.bring(hand, path[0])
        cast.grip(hand, men)
        for spot in path[1:]:
            cast.shift(hand, cast.placed(spot), lift=None if len(path) == 2 else CARRY_LIFT)
        self._released_ms = self._changed_ms = cast.now_ms
        cast.release(hand)

    def _take_off(self, hand: Hand, spots: tuple[Spot, ...]) -> None:
        cast = self._cast
        keeps = len(spots) > 1 and cast.random.random() < KEEP_SHARE
        for spot in spots:
            men = cast.men_at(spot)
            cast.bring(hand, spot)
            cast.grip(hand, men)
            if keeps:
                cast.palm(hand)
                self._changed_ms = cast.now_ms
            else:
                cast.shift(hand, Pose(*cast.next_pile(hand.by)), lift=CARRY_LIFT)
                self._changed_ms = cast.now_ms
                cast.release(hand)

    def _put_on(self, hand: Hand, is_white: bool, spot: Spot) -> None:
        cast = self._cast
        man = cast.spare(hand.by, is_white)
        there = cast.men_at(spot)
        cast.bring(hand, man.track.last.spot)
        cast.grip(hand, [man])
        to = cast.placed(spot) if not there else there[-1].track.last
        cast.shift(hand, Pose(to.x, to.y), lift=CARRY_LIFT, level=len(there))
        self._changed_ms = cast.now_ms
        cast.release(hand)

    def _leave(self, by: Color) -> None:
        for hand in self._cast.hands:
            if hand.by is by:
                self._cast.leave(hand)
        self._cast.wait(self._cast.pace.reaction_ms)

    def _press(self, hand: Hand) -> None:
        self._cast.bring(hand, self._cast.table.clock, lift=0.4)
        self._presses.append((round(self._cast.now_ms), hand.by))
        self._leave(hand.by)

    def _touch(self, hand: Hand, spot: Spot, lift: float, ms: float) -> None:
        cast = self._cast
        cast.bring(hand, spot)
        cast.grip(hand, cast.men_at(spot))
        cast.move(hand, Pose(*spot, lift), cast.pace.lower_ms)
        cast.wait(ms)
        cast.move(hand, Pose(*spot), cast.pace.lower_ms)
        cast.release(hand)

    def _bump(self, act: Bump) -> None:
        """Let men slide, a random choice of those that stand on the board."""
        cast, random = self._cast, Random(act.seed)
        begin_ms = cast.now_ms
        cast.now_ms += BUMP_MS
        self._stood = []
        spots = {round_spot(man.track.last) for man in cast.men}
        standing = [(man, man.track.last) for man in cast.men]
        for spot in sorted(spot for spot in spots if is_on_board(spot, cast.table.size)):
            reach, angle = act.reach * random.uniform(0.4, 1.0), random.uniform(0, tau)
            if random.random() >= act.share:
                continue
            for man, pose in standing:
                if round_spot(pose) == spot:
                    to = pose._replace(x=pose.x + reach * cos(angle), y=pose.y + reach * sin(angle))
                    self._stood.append((man, pose))
                    man.track.move(begin_ms, cast.now_ms, to)
        self._changed_ms = cast.now_ms

    def _put_right(self, hand: Hand) -> None:
        """Put back what was bumped; men that stand on one another go together."""
        cast = self._cast
        waiting = self._stood
        self._stood = []
        while waiting:
            man, stood = waiting[0]
            stack = [entry for entry in waiting if distance(entry[1], stood) < STACKED]
            waiting = [entry for entry in waiting if entry not in stack]
            cast.bring(hand, man.track.last.spot)
            cast.grip(hand, [entry[0] for entry in stack])
            cast.shift(hand, Pose(stood.x, stood.y))
            cast.release(hand)
        self._changed_ms = cast.now_ms

    def _disturb_camera(self, act: Nudge | Lamp | Outage) -> None:
        now_ms = self._cast.now_ms
        match act:
            case Nudge(dx=dx, dy=dy, turn_deg=turn):
                last = self._views[-1][1] if self._views else View()
                view = View(dx=last.dx + dx, dy=last.dy + dy, turn_deg=last.turn_deg + turn)
                self._views.append((now_ms, view))
            case Lamp(gain=gain, ms=ms):
                begin_ms = max(now_ms, self._lamp.end_ms)
                self._lamp.move(begin_ms, begin_ms + ms, Pose(gain, 0.0))
            case Outage(kind=kind, ms=ms):
                self._gaps.append(Gap(begin_ms=now_ms, end_ms=now_ms + ms, kind=kind))
            case unknown:
                assert_never(unknown)


def round_spot(pose: Pose) -> Spot:
    """Return the centre of the square under a pose."""
    return Spot(pose.x // 1 + 0.5, pose.y // 1 + 0.5)
