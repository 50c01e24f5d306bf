"""Fixtures used in more than one test file."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = (ROOT / os.environ.get("DAMCAM_SHARED", "../shared")).resolve()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked `shared` where the folder they read is missing, and only there."""
    if SHARED.is_dir():
        return
    missing = pytest.mark.skip(reason=f"no folder {SHARED}; DAMCAM_SHARED names another place")
    for item in items:
        if item.get_closest_marker("shared"):
            item.add_marker(missing)


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """Return the folder of labelled photos, games and tables (`DAMCAM_SHARED`)."""
    if not request.node.get_closest_marker("shared"):
        pytest.fail("a test that reads the shared folder must be marked @pytest.mark.shared")
    return SHARED
