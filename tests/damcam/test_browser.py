"""The pages in Debian's Chromium: nothing that axe objects to, all of it by keyboard, spoken."""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from damcam.game.pdn_text import hms
from damcam.game.record import GameRecord
from damcam.journal.events import ClockRead, Entry, Event
from damcam.out_folder import still_path
from damcam.serve import Address, Desk, PageServer
from rules import Color
from tests.damcam.browsing import CHROMIUM, Scheme, objections, opened
from tests.damcam.fakes import flag_of, random_moves, told

TOKEN = "0123456789abcdefghij"

MOVES = random_moves(25, seed=4)
TAGS = {"White": "Anna de Vries", "Black": "Piet Smit", "Event": "Club", "Round": "3.1"}
FLAG = 28
"""The number of the event that flags an irregularity."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not CHROMIUM.exists() and "CI" not in os.environ, reason=f"no {CHROMIUM} on this machine"
    ),
]


@dataclass
class Club:
    """A server with a game that can go on."""

    stills: Path
    record: GameRecord = field(default_factory=GameRecord)

    def __post_init__(self) -> None:
        desk = Desk(
            token=TOKEN,
            submit=self.commit,
            now_utc=lambda: datetime.now(UTC),
            picture=lambda: None,
            seen=lambda: ("." * 10,) * 10,
        )
        address = Address(host="127.0.0.1", port=0)
        self.server = PageServer(address, TAGS, desk=desk, stills=self.stills)
        self.server.start()
        for event in told(MOVES):
            self.commit(event)
        self.commit(
            ClockRead(
                at_ms=26_000,
                seen_ms=26_000,
                ply=25,
                white_ms=4_790_000,
                black_ms=4_650_000,
                running=Color.BLACK,
            )
        )
        self.commit(
            flag_of(
                self.record.fen or "",
                at_ms=26_100,
                clause="5.4.6",
                color=Color.BLACK,
                move="19-23",
                squares=MOVES[-1].path,
                text="Black played 19-23; capturing 24x13 was obligatory",
            )
        )

    @property
    def url(self) -> str:
        return self.server.address.url

    def commit(self, event: Event) -> None:
        entry = Entry(seq=self.record.seq + 1, event=event)
        self.record = self.record.after(entry)
        self.server.show(entry, self.record)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    stills = tmp_path_factory.mktemp("stills")
    cv2.imwrite(str(still_path(stills, FLAG)), np.zeros((480, 480, 3), dtype=np.uint8))
    it = Club(stills=stills)
    yield it
    it.server.close()


def entered(browser: Browser, club: Club, *, scheme: Scheme = "light") -> Page:
    page = opened(browser, f"{club.url}operator", scheme=scheme)
    page.fill("[name=name]", "Anna")
    page.fill("[name=token]", TOKEN)
    page.click("main button")
    page.wait_for_selector(".desk")
    return page


def said(page: Page) -> str:
    """Return what is told aloud next."""
    expect(page.locator("#say")).not_to_be_empty()
    return page.locator("#say").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("path", "width"),
    [
        ("", 390),
        ("?lang=ru", 1920),
        ("wall", 1280),
        ("embed/board/1?lang=lv", 420),
        ("overlay/board?eval=1", 800),
        ("operator", 390),
    ],
)
def test_axe_objects_to_nothing(
    club: Club, browser: Browser, path: str, width: int, scheme: Scheme
) -> None:
    page = opened(browser, club.url + path, width=width, scheme=scheme)
    assert objections(page) == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_objects_to_nothing_on_the_desk(club: Club, browser: Browser, scheme: Scheme) -> None:
    page = entered(browser, club, scheme=scheme)
    page.fill("form:has(input[value=takeback]) [name=count]", "1")
    page.click("form:has(input[value=takeback]) button")
    page.wait_for_selector(".log")
    assert objections(page) == []
    page.click("form:has(input[value=undo]) button")
    page.wait_for_selector("text=undone")
    page.close()


def test_clocks_of_the_desk_run_on_from_when_they_were_read(club: Club, browser: Browser) -> None:
    page = entered(browser, club)
    shown = page.locator("time[data-running]")
    expect(shown).to_have_count(1)
    read_ms = int(shown.get_attribute("data-ms") or 0)
    assert int(page.get_attribute("#game", "data-age") or 0) >= 0
    expect(shown).not_to_have_text(hms(read_ms))


def test_keys_step_flip_and_walk_the_board(club: Club, browser: Browser) -> None:
    page = opened(browser, club.url)
    moves = page.locator(".moves [aria-current]")
    page.keyboard.press("Home")
    expect(moves).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(moves).to_have_attribute("data-ply", "1")
    page.keyboard.press("End")
    expect(moves).to_have_attribute("data-ply", "25")
    page.keyboard.press("b")
    expect(page.locator(":focus")).to_have_attribute("data-square", "1")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_have_attribute("data-square", "6")
    page.keyboard.press("f")
    first = page.locator("[role=gridcell]").first
    expect(first).to_have_attribute("data-square", "50")
    page.close()


def test_moves_are_told_aloud_as_they_come(club: Club, browser: Browser) -> None:
    page = opened(browser, club.url)
    page.keyboard.press("l")
    assert club.record.moves[-1].move in said(page)
    page.keyboard.press("p")
    expect(page.locator("#say")).to_contain_text("White men")
    before = len(club.record.moves)
    desk = entered(browser, club)
    desk.click("form:has(h2:text('by hand')) button >> nth=0")
    expect(page.locator(".moves button")).to_have_count(before + 1)
    move = club.record.moves[-1].move
    expect(page.locator("#say")).to_contain_text(move)
    desk.close()
    page.close()


def test_still_of_the_irregularity_is_on_the_page(club: Club, browser: Browser) -> None:
    page = opened(browser, club.url)
    page.locator(".still img").scroll_into_view_if_needed()
    expect(page.locator(".still img")).to_have_js_property("naturalWidth", 480)
    page.close()


def test_narrow_screen_needs_no_scrolling_sideways(club: Club, browser: Browser) -> None:
    for path in ("", "wall", "embed/board/1", "operator"):
        page = opened(browser, club.url + path, width=320)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        page.close()


class Elsewhere(BaseHTTPRequestHandler):
    """A page of somebody else that frames the address after the `?`."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        frame = self.path.partition("?")[2]
        self.wfile.write(f'<!doctype html><iframe src="{frame}"></iframe>'.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Be silent."""


def test_only_what_is_made_for_frames_can_be_framed_elsewhere(club: Club, browser: Browser) -> None:
    server = HTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    there = f"http://localhost:{server.server_port}/?"
    for path, is_shown in (("embed/board/1", True), ("operator", False)):
        page = opened(browser, there + club.url + path)
        texts = [frame.locator("main").count() for frame in page.frames[1:]]
        assert texts == ([1] if is_shown else [0]), path
        page.close()
    server.shutdown()
    thread.join()
    server.server_close()
