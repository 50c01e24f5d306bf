"""Follows the readings of a bundle again and tells whether the same events come out."""

from collections.abc import Iterable
from dataclasses import fields

from vision import (
    DisturbanceNoticed,
    DisturbanceRestored,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
)

from ..game.record import fold
from ..journal.events import Event
from ..recording.following import follower_for
from ..settings import Settings, checked_values
from .contents import Bundle

Followed = (
    MoveSettled
    | MoveCorrected
    | IrregularityFlagged
    | IrregularityResolved
    | DisturbanceNoticed
    | DisturbanceRestored
)
FOLLOWED = (
    MoveSettled,
    MoveCorrected,
    IrregularityFlagged,
    IrregularityResolved,
    DisturbanceNoticed,
    DisturbanceRestored,
)
TIMES = frozenset({"at_ms", "seen_ms", "confidence", "flag"})
"""What may differ: the follower begins with the bundle and not with the game."""


def recorded_events(bundle: Bundle) -> tuple[Event, ...]:
    """Return what was told during the readings of the bundle."""
    if not bundle.readings:
        return ()
    end_ms = bundle.readings[-1].at_ms
    return tuple(
        entry.event
        for entry in bundle.entries
        if entry.seq > bundle.seq
        and isinstance(entry.event, FOLLOWED)
        and entry.event.seen_ms <= end_ms
    )


def followed_events(bundle: Bundle) -> tuple[Event, ...]:
    """Return what following the readings again tells.

    Raises:
        SettingsError: The settings of the bundle are none of this version.
    """
    record = fold(entry for entry in bundle.entries if entry.seq <= bundle.seq)
    told: list[Event] = []
    follower = None
    make = follower_for(settings_of(bundle), record)
    for reading in bundle.readings:
        if follower is None:
            follower = make(reading.pose.size)
        told += [event for event in follower.update(reading) if isinstance(event, FOLLOWED)]
    return tuple(told)


def settings_of(bundle: Bundle) -> Settings:
    """Return the settings that matter for following."""
    names = {"variant", "start", "first", "profile", "size"}
    known = {name: value for name, value in bundle.header.settings if name in names}
    return Settings(**checked_values(known, "the bundle"))


def first_difference(recorded: Iterable[Event], followed: Iterable[Event]) -> str | None:
    """Return where two tellings part, None where they are the same apart from times."""
    one, other = list(map(_essence, recorded)), list(map(_essence, followed))
    for number in range(max(len(one), len(other))):
        told = one[number] if number < len(one) else "nothing"
        again = other[number] if number < len(other) else "nothing"
        if told != again:
            return f"event {number + 1}: {told} was recorded, {again} was followed"
    return None


def _essence(event: Event) -> str:
    values = [
        f"{it.name}={getattr(event, it.name)}" for it in fields(event) if it.name not in TIMES
    ]
    return f"{type(event).__name__}({', '.join(values)})"
