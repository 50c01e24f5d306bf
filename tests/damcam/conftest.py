"""Fixtures used in more than one test file of the program."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.damcam.browsing import CHROMIUM, PATIENCE_MS


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Return Chromium without a window, one for each test file."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=PATIENCE_MS
        )
        yield launched
        launched.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Return Chromium; the pages of a test end with it."""
    yield chromium
    for context in chromium.contexts:
        context.close()
