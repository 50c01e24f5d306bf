"""The tuning numbers of the follower and of its parts, for the header of the journal."""

from dataclasses import dataclass, field

from .evidence import EvidenceSettings
from .faults import FaultSettings
from .hypotheses import PriorSettings
from .judging import JudgingSettings
from .presses import PressSettings
from .search import SearchSettings
from .settling import SettlingSettings
from .start_gate import StartGateSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowerSettings:
    """The tuning numbers of the follower."""

    width: int = 8
    """Hypotheses kept from one move to the next."""
    stage_readings: float = 5.0
    """Independent readings that the time between two moves may count for."""
    end_ms: int = 700
    """A result must stand for this long before it is told."""
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    faults: FaultSettings = field(default_factory=FaultSettings)
    presses: PressSettings = field(default_factory=PressSettings)
    priors: PriorSettings = field(default_factory=PriorSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    settling: SettlingSettings = field(default_factory=SettlingSettings)
    start: StartGateSettings = field(default_factory=StartGateSettings)
    judging: JudgingSettings = field(default_factory=JudgingSettings)
