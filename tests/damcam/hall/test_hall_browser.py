"""The pages of a hub in a browser: axe objects to none of them, in light and dark."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from damcam.out_folder import STILLS_NAME, still_path
from tests.damcam.browsing import Scheme, objections, opened
from tests.damcam.engines import Engine
from tests.damcam.hall.boards import flagged, game, journal, jpeg_of
from tests.damcam.hall.hubs import Client, folder_store, hub, until

schemes = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("hall")
    for board in (1, 2, 3):
        events = [*game(board), flagged()] if board == 2 else game(board)
        journal(folder, board, events).close()
    still = still_path(folder / "cam2" / STILLS_NAME, 10)
    still.parent.mkdir()
    still.write_bytes(jpeg_of(480))
    engine = Engine(tmp_path_factory.mktemp("engine"))
    with hub(folder_store(folder), engine=engine.words) as one:
        until(lambda: "/board/2/stills/10.jpg" in one.ask("/board/2/")[1])
        until(lambda: 'class="evaluation"' in one.ask("/board/2/")[1])
        yield one


def entered(browser: Browser, client: Client, *, scheme: Scheme) -> Page:
    page = opened(browser, f"{client.url}hall", scheme=scheme)
    page.fill("[name=name]", "Anna")
    page.fill("[name=token]", "the token of an admin")
    page.click("main button")
    page.wait_for_selector(".tiles")
    return page


@schemes
@pytest.mark.parametrize(
    "path",
    [
        "",
        "?lang=lv",
        "hall",
        "wall",
        "board/2/",
        "board/2/embed/board",
        "board/2/overlay/board?eval=1",
    ],
)
def test_axe_objects_to_nothing_that_a_hub_shows(
    client: Client, browser: Browser, path: str, scheme: Scheme
) -> None:
    page = opened(browser, client.url + path, width=900, scheme=scheme)
    assert objections(page) == []
    page.close()


@schemes
def test_axe_objects_to_nothing_of_those_who_work_in_the_hall(
    client: Client, browser: Browser, scheme: Scheme
) -> None:
    page = entered(browser, client, scheme=scheme)
    assert objections(page) == []
    page.fill("form:has(input[value=round]) [name=pairings]", "1, Ann")
    page.click("form:has(input[value=round]) button")
    page.wait_for_selector("[role=alert]")
    assert objections(page) == []
    page.goto(f"{client.url}board/2/operator?lang=nl")
    picture = page.locator(".still img")
    picture.scroll_into_view_if_needed()
    assert picture.get_attribute("src") == "/board/2/operator/stills/10.jpg"
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 480
    page.fill("form:has(input[value=position]) [name=fen]", "W:Wx")
    page.click("form:has(input[value=position]) button")
    page.wait_for_selector("[role=alert] small[lang=en]")
    assert page.locator("[role=alert]").inner_text().startswith("Dit is geen stand.")
    assert objections(page) == []
    page.close()


def test_the_picture_of_an_irregularity_is_on_the_page_of_its_board(
    client: Client, browser: Browser
) -> None:
    page = opened(browser, f"{client.url}board/2/")
    picture = page.locator(".still img")
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 480
    page.close()
