"""Feeds that relays can follow, and each thing that stops them."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from damcam.cli.main import run
from damcam.game.feed_lint import MOST_GAMES, lint_feed
from damcam.game.pdn_text import record_pdn
from damcam.game.record import GameRecord, fold
from damcam.journal.events import Entry
from tests.damcam.fakes import random_moves, told

TAGS = {"Event": "Cup", "Site": "Hall", "Round": "1.1", "White": "Ann", "Black": "Bob"}


def record_of(plies: int, *, seed: int = 1) -> GameRecord:
    events = told(random_moves(plies, seed=seed))
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


def game(plies: int = 10, **tags: str) -> str:
    return record_pdn(record_of(plies), TAGS | tags, spacious=False)


def errors(text: str) -> list[tuple[int, int, str]]:
    findings = lint_feed(text.encode())
    return [(one.game, one.line, one.text) for one in findings if one.severity == "error"]


def warnings(text: str) -> list[str]:
    return [one.text for one in lint_feed(text.encode()) if one.severity == "warning"]


@pytest.mark.parametrize("plies", [0, 1, 40])
def test_our_own_feed_is_fit(plies: int) -> None:
    assert lint_feed(game(plies).encode()) == ()


def test_a_round_of_games_is_fit() -> None:
    text = "\n".join(game(5, Round=f"1.{number}") for number in range(1, 5))
    assert lint_feed(text.encode()) == ()


def test_illegal_move_is_named_by_game_and_line() -> None:
    bad = game(0, Round="1.2").replace("\n*", "\n1. 32-28 19-23 2. 28-22 *")
    ((number, line, text),) = errors(game() + "\n" + bad)
    assert number == 2
    assert "28-22" in text
    assert (game() + "\n" + bad).splitlines()[line - 1].startswith("1. 32-28")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('[White "Ann"]', '[White_1 "Ann"]', "other signs than letters"),
        ('[White "Ann"]', '[White "An]n"]', "a bracket in its value"),
        ('[White "Ann"]', "[White Ann]", "no tag"),
        ('[Result "*"]', '[Result "white"]', "Result must be"),
        ('[Result "*"]', "", "got ''"),
    ],
)
def test_tags_that_break_a_round(old: str, new: str, reason: str) -> None:
    found = errors(game().replace(old, new))
    assert any(reason in text for _, _, text in found), found


def test_missing_names_hurt_one_game_and_break_many() -> None:
    nameless = game(5, White="?")
    assert errors(nameless) == []
    assert any("White" in text for text in warnings(nameless))
    assert errors(nameless + "\n" + game(5, Round="1.2"))
    placeless = game(5, Site="?") + "\n" + game(5, Site="?", Round="1.2")
    assert errors(placeless) == []
    assert sum("nothing in Site" in text for text in warnings(placeless)) == 2


def test_games_that_cannot_be_told_apart() -> None:
    ((number, _, text),) = errors(game() + "\n" + game())
    assert (number, text) == (2, "2 games have the same White, Black and Round")


def test_blank_line_and_odd_clock_are_warned_of() -> None:
    spacious = record_pdn(record_of(4), TAGS)
    assert warnings(spacious) == ["a blank line inside the game"]
    odd = game(1).replace(" *", " {[%clock w80 minutes]} *")
    assert any("is no clock time" in text for text in warnings(odd))
    fine = game(1).replace(" *", " {[%clock w1:20:00 B1:19:59]} *")
    assert warnings(fine) == []


def test_bytes_that_relays_choke_on() -> None:
    assert "byte order mark" in lint_feed(b"\xef\xbb\xbf" + game().encode())[0].text
    assert "not UTF-8" in lint_feed(game(White="Zoë").encode("latin-1"))[0].text
    assert errors("")[0][2].startswith("the feed holds no game")


def test_good_pdn_that_relays_do_not_read() -> None:
    lost = game(1).replace('"*"', '"0-0"')
    assert errors(lost) == []
    ((_, line, text),) = errors(lost.replace(" *", " 0-0"))
    assert "0-0 behind the moves" in text
    assert line == len(lost.splitlines())
    ((_, _, text),) = errors(game(0).replace("\n*", '\n/FEN "W:W31-50:B1-20"/ *'))
    assert "a FEN with ranges" in text
    assert errors(game(0).replace("\n*", '\n/FEN "W:W48,49:BK1,3"/ *')) == []


def test_more_games_than_are_followed() -> None:
    text = "\n".join(game(0, Round=f"1.{number}") for number in range(MOST_GAMES + 1))
    assert [text for _, _, text in errors(text)] == ["65 games, 64 at most are followed"]


class Feed(http.server.BaseHTTPRequestHandler):
    """Answers /fit with a fit feed, anything else with 404."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/fit" else 404)
        self.end_headers()
        self.wfile.write(game().encode())

    def log_message(self, format: str, *args: object) -> None:
        """Be silent."""


@pytest.fixture
def feed_url() -> Iterator[str]:
    """Serve a feed over HTTP."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Feed)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_command_reads_addresses_and_files(
    feed_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lint-feed", f"{feed_url}/fit"]) == 0
    assert capsys.readouterr().out == "the feed is fit\n"
    assert run(["lint-feed", f"{feed_url}/gone"]) == 2
    assert "404" in capsys.readouterr().err
    path = tmp_path / "games.pdn"
    path.write_text(game() + "\n" + game(), encoding="utf-8")
    assert run(["lint-feed", str(path)]) == 1
    assert capsys.readouterr().out.endswith("the feed cannot be followed\n")
    assert run(["lint-feed", str(tmp_path / "none.pdn")]) == 2


@pytest.mark.parametrize(
    ("feed", "told"),
    [
        ("http://127.0.0.1:9/games.pdn", "9/games.pdn cannot be read: connection refused"),
        ("ftp://127.0.0.1/games.pdn", "http:// and https:// only"),
    ],
)
def test_an_address_that_no_relay_can_read_is_told_in_a_sentence(
    feed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lint-feed", feed]) == 2
    printed = capsys.readouterr().err
    assert told in printed
    assert "urlopen" not in printed
