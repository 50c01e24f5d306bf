"""What happens round a game without being play: bumps, light, arms, lost frames, long thinks."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from rules import Color

from .acts import (
    Bump,
    Disturbed,
    Hover,
    Lamp,
    Leave,
    Nudge,
    Outage,
    PutRight,
    Restored,
    Touch,
    Wait,
)
from .script import ScriptWriter
from .tracks import Spot

Disturbance = Callable[[ScriptWriter, Random], None]


def bump(writer: ScriptWriter, random: Random) -> None:
    """Let some men slide and be put back (5.5)."""
    by = random.choice(list(Color))
    seed, reach = random.randrange(1 << 30), random.uniform(0.45, 0.9)
    writer.do(Disturbed(kind="bump"), Bump(seed=seed, reach=reach, share=random.uniform(0.1, 0.35)))
    writer.do(Wait(ms=900), PutRight(by=by), Restored(kind="bump"), Leave(by=by))


def shake(writer: ScriptWriter, random: Random) -> None:
    """Let all men slide a little off their centres; they stay there."""
    seed = random.randrange(1 << 30)
    writer.do(Disturbed(kind="shake"), Bump(seed=seed, reach=0.16, share=1.0), Wait(ms=1000))


def nudge(writer: ScriptWriter, random: Random) -> None:
    """Push the camera or the whole board."""
    dx, dy = random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8)
    writer.do(Disturbed(kind="nudge"), Nudge(dx=dx, dy=dy, turn_deg=random.uniform(-3, 3)))
    writer.do(Wait(ms=800))


def lamp(writer: ScriptWriter, random: Random) -> None:
    """Change the light of the room, at once or slowly."""
    gain, ms = random.choice([0.6, 0.75, 1.2]), random.choice([100.0, 3000.0])
    writer.do(Disturbed(kind="lamp"), Lamp(gain=gain, ms=ms), Wait(ms=500))


def passer_by(writer: ScriptWriter, random: Random) -> None:
    """Let the shadow of somebody fall on the table for a moment."""
    writer.do(Disturbed(kind="passer-by"), Lamp(gain=0.55, ms=400), Wait(ms=1200))
    writer.do(Lamp(gain=1.0, ms=400), Wait(ms=600), Restored(kind="passer-by"))


def arm(writer: ScriptWriter, random: Random) -> None:
    """Let an arm rest across the board for some seconds."""
    by = random.choice(list(Color))
    size = len(writer.position.grid())
    far = random.uniform(0.5, 3.0)
    spot = Spot(random.uniform(2, size - 2), far if by is Color.WHITE else size - far)
    writer.do(Disturbed(kind="arm"), Hover(by=by, spot=spot, ms=random.uniform(2500, 5000)))
    writer.do(Leave(by=by), Restored(kind="arm"))


def hover(writer: ScriptWriter, random: Random) -> None:
    """Let the player to move reach for a man and think better of it."""
    square = random.choice(sorted(writer.board))
    by = writer.mover
    writer.do(Hover(by=by, spot=writer.spot(square), ms=random.uniform(800, 2000)), Leave(by=by))


def adjust(writer: ScriptWriter, random: Random) -> None:
    """Let the player to move put a man right on its square (3.13)."""
    square = random.choice(sorted(writer.board))
    by = writer.mover
    writer.do(Touch(by=by, spot=writer.spot(square), lift=0.0, ms=500), Leave(by=by))


def dropped(writer: ScriptWriter, random: Random) -> None:
    """Let the camera lose its frames for some seconds while the game goes on."""
    writer.do(Disturbed(kind="dropped"), Outage(kind="dropped", ms=random.uniform(500, 2500)))


def frozen(writer: ScriptWriter, random: Random) -> None:
    """Let the camera give the same frame for some seconds while the game goes on."""
    writer.do(Disturbed(kind="frozen"), Outage(kind="frozen", ms=random.uniform(1500, 4000)))


def long_think(writer: ScriptWriter, random: Random) -> None:
    """Let nothing happen for a long time."""
    writer.do(Wait(ms=random.uniform(10_000, 20_000)))


DISTURBANCES: Final[Mapping[str, Disturbance]] = MappingProxyType(
    {
        "bump": bump,
        "shake": shake,
        "nudge": nudge,
        "lamp": lamp,
        "passer-by": passer_by,
        "arm": arm,
        "hover": hover,
        "adjust": adjust,
        "dropped": dropped,
        "frozen": frozen,
        "long think": long_think,
    }
)
"""By name."""
