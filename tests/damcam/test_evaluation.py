"""An engine beside the feed: its thoughts in our words, and its crash nobody's business."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

from damcam.game.record import GameRecord, fold
from damcam.journal.events import Entry
from damcam.serve.evaluating import Evaluator
from damcam.serve.evaluation import Evaluation, evaluation_html
from damcam.serve.hub_engine import EngineError, HubEngine, best_line, hub_position
from damcam.serve.language import language_named
from damcam.serve.live import LiveGame
from rules import Position, Variant, parse_fen, to_fen
from tests.damcam.fakes import random_moves, told

DAME = shutil.which("dame") or str(Path(sys.executable).with_name("dame"))
START = Position.start(Variant.INTERNATIONAL)
BARE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "hub":
        print("id name=bare author=\\"a b\\"\\nwait", flush=True)
    elif word == "init":
        print("ready", flush=True)
    elif word == "go":
        {go}
"""


def engine(tmp_path: Path, go: str) -> tuple[str, ...]:
    """Return the words that start an engine which does `go` when it is to think."""
    path = tmp_path / "engine.py"
    path.write_text(BARE.format(go=go), encoding="utf-8")
    return (sys.executable, str(path))


def record_of(plies: int) -> GameRecord:
    events = told(random_moves(plies, seed=1))
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


async def thought(words: tuple[str, ...], position: Position) -> Evaluation | None:
    running = await HubEngine.start(words)
    try:
        return await running.think(position, 0.2)
    finally:
        await running.close()


def test_dame_thinks_about_the_start_position() -> None:
    last = asyncio.run(thought((DAME, "hub"), START))
    assert last is not None
    assert last.engine == "dame"
    assert last.fen == to_fen(START)
    assert last.depth >= 3
    assert abs(last.men) < 1.0
    assert len(last.line) >= 2


def test_score_is_from_white_and_captures_are_ours(tmp_path: Path) -> None:
    position = parse_fen("B:W28,32:B19,23", Variant.INTERNATIONAL)
    go = "print('info depth=7 score=1.5 pv=\"23x32x28\"\\ninfo score=x\\ndone move=x', flush=True)"
    found = asyncio.run(thought(engine(tmp_path, go), position))
    assert found is not None
    assert (found.men, found.depth, found.engine) == (-1.5, 7, "bare")
    assert best_line(START, "32-28 19-23 28x19x23 99-1 14x23x19") == ("32-28", "19-23", "28x19")
    assert best_line(START, "32 x 1-2-3 --") == ()


def test_positions_are_written_as_hub_does() -> None:
    assert hub_position(START) == "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert hub_position(parse_fen("B:WK1:BK50", Variant.INTERNATIONAL)) == "BW" + "e" * 48 + "B"


@pytest.mark.parametrize("go", ["sys.exit(1)", "print('x' * 100_000, flush=True)"])
def test_engine_that_crashes_is_an_engine_error(tmp_path: Path, go: str) -> None:
    with pytest.raises(EngineError):
        asyncio.run(thought(engine(tmp_path, go), START))


@pytest.mark.parametrize("score", ["nan", "inf", "1e999", "x", ""])
def test_score_that_cannot_be_shown_is_none(tmp_path: Path, score: str) -> None:
    go = f"print('info depth=3 score={score}\\ndone move=x', flush=True)"
    assert asyncio.run(thought(engine(tmp_path, go), START)) is None


def test_engine_that_talks_without_end_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def think() -> None:
        words = engine(tmp_path, "while True: print('info depth=3 score=1', flush=True)")
        running = await HubEngine.start(words)
        monkeypatch.setattr("damcam.serve.hub_engine.ANSWER_S", 0.5)
        try:
            await running.think(START, 0.1)
        finally:
            await running.close()

    with pytest.raises(EngineError, match="hangs"):
        asyncio.run(think())


def test_program_that_is_no_engine_is_refused() -> None:
    with pytest.raises(EngineError, match="as a Hub engine does"):
        asyncio.run(thought((sys.executable, "-c", "print('hello')"), START))
    with pytest.raises(EngineError, match="cannot be started"):
        asyncio.run(thought(("/no/such/program",), START))


async def shown(live: LiveGame, words: tuple[str, ...], *, seconds: float) -> None:
    """Let an evaluator work until something is shown, at most so long."""
    working = asyncio.ensure_future(Evaluator(live, words).run())
    until = asyncio.get_running_loop().time() + seconds
    while live.evaluation is None and asyncio.get_running_loop().time() < until:
        await asyncio.sleep(0.02)
    assert not working.done()
    working.cancel()
    await asyncio.wait([working])


def test_evaluator_shows_what_it_thinks_of_the_newest_position(tmp_path: Path) -> None:
    live = LiveGame({})
    live.record = record_of(3)
    go = "print('info depth=4 score=0.3 pv=\\ndone move=x', flush=True)"
    asyncio.run(shown(live, engine(tmp_path, go), seconds=60))
    assert live.evaluation is not None
    assert live.view(language_named("en")).evaluation == live.evaluation
    live.record = record_of(4)
    assert live.view(language_named("en")).evaluation is None


def test_crash_of_the_engine_touches_nothing(tmp_path: Path) -> None:
    live = LiveGame({})
    live.record = record_of(3)
    asyncio.run(shown(live, engine(tmp_path, "sys.exit(1)"), seconds=0.5))
    assert live.evaluation is None


def test_bar_fills_with_the_advantage() -> None:
    bars = []
    for men in (-9.0, 0.0, 9.0):
        one = Evaluation(fen="", men=men, depth=1, line=("32-28",), engine="<e>")
        html = evaluation_html(one, language_named("nl"))
        assert "&lt;e&gt;" in html
        assert "Beoordeling" in html
        bars.append(html.partition('class="white" width="')[2].partition('"')[0])
    assert bars == ["0", "100", "200"]
