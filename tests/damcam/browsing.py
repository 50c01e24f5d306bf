"""Chromium as a spectator has it, and what axe objects to."""

from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

Scheme = Literal["light", "dark"]
CHROMIUM: Final = Path("/usr/bin/chromium")
PATIENCE_MS = 120_000
"""The machine may have a network to train."""


def opened(browser: Browser, address: str, *, width: int = 1280, scheme: Scheme = "light") -> Page:
    viewport = ViewportSize(width=width, height=800)
    page = browser.new_page(viewport=viewport, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


def objections(page: Page) -> list[tuple[str, list[str]]]:
    """Return what axe objects to, with the places."""
    found = Axe().run(page).response["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
