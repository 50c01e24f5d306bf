"""The API as it is described, tried by schemathesis with what it makes up."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.serve import Address, Desk, PageServer
from tests.damcam.fakes import random_moves, told

TOKEN = "0123456789abcdefghij"
EXAMPLES = 5
"""Enough to try every kind of fault; `schemathesis run URL/api/openapi.json` tries for hours."""


@pytest.mark.slow
def test_api_answers_as_described_whatever_it_is_asked(tmp_path: Path) -> None:
    desk = Desk(token=TOKEN, submit=lambda event: None, now_utc=lambda: datetime.now(UTC))
    server = PageServer(Address(host="127.0.0.1", port=0), {"White": "Ann"}, desk=desk)
    server.start()
    record = GameRecord()
    for event in told(random_moves(9, seed=1)):
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        server.show(entry, record)
    words = ["run", f"{server.address.url}api/openapi.json", "--max-examples", str(EXAMPLES)]
    words += ["--header", f"Authorization: Bearer {TOKEN}", "--request-timeout", "60"]
    # A stream has no end that could be waited for.
    words += ["--exclude-path", "/api/events"]
    program = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    server.close()
    assert done.returncode == 0, done.stdout
