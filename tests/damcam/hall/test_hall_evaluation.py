"""One engine beside all boards of a hub: in turn, as late as the feed, and nobody's trouble."""

import asyncio
import subprocess
import sys
from pathlib import Path

from damcam.hall.evaluating import HallEvaluator
from damcam.hall.projection import BoardGame
from damcam.journal.events import Event
from damcam.serve.hub_engine import hub_position
from rules import Variant, parse_fen
from tests.damcam.engines import Engine
from tests.damcam.hall.boards import (
    SUBJECTS,
    Stream,
    ended,
    game,
    hall_of,
    journal,
    lines,
    name,
    sheet,
)
from tests.damcam.hall.hubs import NOW, Client, ListStore, hub, until
from tests.source_tree import ROOT
from vision import MoveSettled


def after(events: list[Event], plies: int) -> str:
    """Return the position after so many moves as an engine is asked about it."""
    move = next(one for one in events if isinstance(one, MoveSettled) and one.ply == plies)
    return hub_position(parse_fen(move.fen, Variant.INTERNATIONAL))


def stream_of(games: dict[int, list[Event]]) -> Stream:
    stream = Stream()
    stream.tell(sheet(len(games)))
    for board, events in games.items():
        stream.open(name(board))
        stream.record(name(board), lines(events))
    return stream


def has_its_thought(game: BoardGame) -> bool:
    """Tell whether there is nothing new to think of at a board."""
    record, evaluation = game.live.record, game.live.evaluation
    is_played = record.fen is not None and record.ending is None
    return not is_played or (evaluation is not None and evaluation.fen == record.fen)


def test_the_board_that_waited_longest_is_thought_of_next(tmp_path: Path) -> None:
    async def check() -> None:
        games = {board: game(board, plies=8) for board in (1, 2)}
        over: list[Event] = [*game(3, plies=5), ended()]
        stream = stream_of({1: games[1][:7], 2: games[2][:7], 3: over, 4: []})
        hall, engine = hall_of(stream.messages), Engine(tmp_path)
        working = asyncio.create_task(HallEvaluator(hall, engine.words).run())
        for news in ({}, {1: 8}, {1: 9, 2: 8}):
            for board, seq in news.items():
                (line,) = lines([games[board][seq - 1]], first=seq)
                hall.take(stream.keep(SUBJECTS.game(name(board)), line))
            while not all(map(has_its_thought, hall.games())):
                assert not working.done()
                await asyncio.sleep(0.02)
        working.cancel()
        await asyncio.wait([working])
        turns = ((1, 6), (2, 6), (1, 7), (2, 7), (1, 8))
        assert engine.asked == [after(games[board], plies) for board, plies in turns]

    asyncio.run(check())


def test_the_engine_sees_no_more_than_spectators_do(tmp_path: Path) -> None:
    moves, engine = game(1, plies=9), Engine(tmp_path)
    stream = stream_of({1: moves[:7]})
    for line in lines(moves)[7:]:
        stream.keep(SUBJECTS.game(name(1)), line, at_utc_s=NOW.timestamp() - 60)
    with hub(
        lambda: ListStore(stream.messages), here=False, delay_s=900, engine=engine.words
    ) as client:
        client.enter("admin")
        until(lambda: client.ask("/hall/fragment")[1].count("5. ") == 1)
        until(lambda: 'class="evaluation"' in client.ask("/board/1/")[1])
        for path in ("fragment", "embed/board", "overlay/board?eval=1"):
            assert 'class="evaluation"' in client.ask(f"/board/1/{path}")[1], path
        for path in ("/board/1/operator", "/hall", "/wall", "/"):
            assert 'class="evaluation"' not in client.ask(path)[1], path
    assert engine.asked == [after(moves, 6)]


def test_an_engine_that_crashes_touches_no_page(tmp_path: Path) -> None:
    engine = Engine(tmp_path, "crashes")
    stream = stream_of({1: game(1), 2: game(2)})
    with hub(lambda: ListStore(stream.messages), here=False, engine=engine.words) as client:
        until(lambda: len(engine.asked) > 1)
        assert client.ask("/games.pdn")[1].count("[White ") == 2
        assert 'class="evaluation"' not in client.ask("/board/1/")[1]
    assert engine.asked[:2] == [after(game(1), 8), after(game(2), 8)]


def test_the_command_has_dame_think_and_goes_when_it_is_told(tmp_path: Path) -> None:
    journal(tmp_path, 1, game(1)).close()
    words = [sys.executable, "-m", "damcam", "hall", "serve", str(tmp_path), "--at", "0"]
    words += ["--engine", "--tree", str(tmp_path / "tree")]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        client = Client(int(server.stdout.readline().rstrip("/\n").rpartition(":")[2]))
        until(lambda: "<small>dame, " in client.ask("/board/1/")[1])
        until((tmp_path / "tree" / "round-1" / "games.pdn").exists)
        server.terminate()
        assert server.wait() == 0
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        server.stdout.readline()
        server.terminate()
        assert server.wait() == 0
