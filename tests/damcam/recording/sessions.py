"""What a session is made of, with everything pretended but its journal."""

from pathlib import Path

from damcam.journal.database import Header, Journal
from damcam.recording.session import Parts
from tests.damcam.fakes import FakeSource, FakeTracker, ScriptedFollower
from vision import BoardEvent


def parts(tmp_path: Path, events: list[BoardEvent], *, until_ms: int = 12_000) -> Parts:
    journal = Journal.create(
        tmp_path / "journal.sqlite", Header(created_utc="2026-11-29T00:00:00", source="fake")
    )
    return Parts(
        source=FakeSource(until_ms),
        tracker=FakeTracker(),
        follower_for=lambda size: ScriptedFollower(events),
        journal=journal,
    )
