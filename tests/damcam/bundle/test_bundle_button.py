"""The operator's button: whoever has the token has the last minute saved."""

from pathlib import Path

import pytest

from damcam.bundle.contents import read_bundle
from damcam.bundle.keeper import BundleKeeper, ask_for_bundle
from damcam.game.record import fold
from damcam.journal.database import Header, Journal
from tests.damcam.desks import hall
from tests.damcam.fakes import FakeSource, FakeTracker, random_moves, told

PATH = "/operator/bundle"


def test_the_operator_has_the_last_minute_saved(tmp_path: Path) -> None:
    journal = Journal.create(
        tmp_path / "journal.sqlite", Header(created_utc="2026-11-30T00:00:00", source="fake")
    )
    entries = [journal.append(event) for event in told(random_moves(4, seed=1))]
    keeper = BundleKeeper(tmp_path, lambda: 1.0)
    keeper.attend(journal)
    for frame in FakeSource(1000):
        keeper.watch(frame, FakeTracker().track(frame.bgr, frame.at_ms), fold(entries))
    with hall(save_last_minute=lambda: ask_for_bundle(tmp_path)) as it:
        assert it.ask("POST", PATH, {"csrf": it.csrf})[0] == 403
        it.enter()
        assert it.ask("POST", PATH, {"csrf": "none"})[0] == 403
        assert list(tmp_path.glob("bundle*")) == []
        assert f'action="{PATH}"' in it.ask("GET", "/operator")[2]
        status, _, text = it.ask("POST", PATH, {"csrf": it.csrf})
        assert (status, "is being saved beside the game" in text) == (202, True)
    keeper.turn()
    keeper.close()
    (bundle,) = tmp_path.glob("bundle-*.zip")
    assert read_bundle(bundle).entries == tuple(entries)
    journal.close()


@pytest.mark.parametrize("is_full", [False, True])
def test_what_cannot_be_saved_is_said(is_full: bool) -> None:
    def fail() -> None:
        raise OSError("no space left")

    with hall(save_last_minute=fail if is_full else None) as it:
        it.enter()
        assert (f'action="{PATH}"' in it.ask("GET", "/operator")[2]) is is_full
        status, _, text = it.ask("POST", PATH, {"csrf": it.csrf})
        assert (status, "no space left" in text) == ((503, True) if is_full else (404, False))
