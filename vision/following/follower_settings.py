"""The tuning numbers of the follower and of its parts, for the header of the journal."""

from dataclasses import dataclass, field

from .evidence import EvidenceSettings
from .faults import FaultSettings
from .hypotheses import PriorSettings
from .judging import JudgingSettings
from .settling import SettlingSettings
from .start_gate import StartGateSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowerSettings:
    """The tuning numbers of the follower."""

    width: int = 8
    """Hypotheses kept from one move to the next."""
    missed_plies: int = 4
    """Moves in a row that may be played unseen."""
    lost_plies: int = 9
    """The same once nothing has explained the board for `lost_ms`."""
    lost_ms: int = 1000
    search_ms: int = 300
    """Time between two searches for unseen moves."""
    stage_readings: float = 5.0
    """Independent readings that the time between two moves may count for."""
    end_ms: int = 700
    """A result must stand for this long before it is told."""
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    faults: FaultSettings = field(default_factory=FaultSettings)
    priors: PriorSettings = field(default_factory=PriorSettings)
    settling: SettlingSettings = field(default_factory=SettlingSettings)
    start: StartGateSettings = field(default_factory=StartGateSettings)
    judging: JudgingSettings = field(default_factory=JudgingSettings)
