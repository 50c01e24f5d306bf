"""The API as it is described, tried by schemathesis with what it makes up."""

from pathlib import Path
from typing import Final

import pytest

from tests.damcam.api_fuzz_bench import SERVERS, fuzzed

EXAMPLES: Final = 5
"""Enough to try every kind of fault; `python -m tests.damcam.api_fuzz_bench` tries for longer."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", SERVERS)
def test_api_answers_as_described_whatever_it_is_asked(kind: str, tmp_path: Path) -> None:
    with SERVERS[kind]() as url:
        done = fuzzed(url, EXAMPLES, tmp_path)
    assert done.returncode == 0, done.stdout
