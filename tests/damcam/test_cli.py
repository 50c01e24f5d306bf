"""The commands as a user meets them: output, exit codes, one sentence for every mistake."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from damcam.cli import read as read_command
from damcam.cli.errors import CommandError, telling
from damcam.cli.main import COMMANDS, run
from damcam.journal.database import Header, Journal
from damcam.versions import package_version
from rules import Position, Variant, write_pdn
from tests.damcam.fakes import played, random_moves, reading_of, told
from vision import Image, OneLook, Reading
from vision.squares.one_look import Prototypes

ROOT = Path(__file__).parents[2]
START = Position.start(Variant.INTERNATIONAL)

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def damcam(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process; return exit code, standard output and error."""

    def call(*words: object) -> tuple[int, str, str]:
        try:
            code = run([str(word) for word in words])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


LIGHT_HELP = """
import sys
from damcam.cli.main import run
try:
    run(sys.argv[1:])
except SystemExit:
    pass
heavy = {"numpy", "cv2", "onnxruntime", "rich", "serial", "starlette", "sqlite3"}
print("loaded:", sorted(heavy & set(sys.modules)))
"""


@pytest.mark.parametrize("words", [("--help",), ("read", "--help"), ("record", "-h")])
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT_HELP, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_version_is_that_of_the_package(damcam: Run) -> None:
    code, out, _ = damcam("--version")
    assert (code, out) == (0, f"damcam {package_version('damcam')}\n")


def test_help_takes_less_than_a_fifth_of_a_second_of_work() -> None:
    best = float("inf")
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-m", "damcam", "--help"], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        usage = os.wait4(child.pid, 0)[2]
        child.returncode = 0
        best = min(best, usage.ru_utime + usage.ru_stime)
    assert best < 0.2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_help(damcam: Run, command: str) -> None:
    code, out, err = damcam(command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: damcam {command}")


@pytest.mark.parametrize(
    "words", [(), ("dance",), ("read", "--size", "9", "a.png"), ("record", "x")]
)
def test_wrong_arguments_are_exit_code_2(damcam: Run, words: tuple[str, ...]) -> None:
    code, out, err = damcam(*words)
    assert (code, out) == (2, "")
    assert "damcam" in err


def test_moves_are_listed_with_paths_and_captures(damcam: Run) -> None:
    code, out, _ = damcam("moves", "W:W31-50:B1-20", "--json")
    data = json.loads(out)
    assert code == 0
    assert [move["move"] for move in data["moves"]][:2] == ["31-26", "31-27"]
    code, out, _ = damcam("moves", "W:W32:B28,19", "--json")
    (move,) = json.loads(out)["moves"]
    assert (move["path"], move["captured"], move["crowns"]) == ([32, 23, 14], [19, 28], False)
    code, out, _ = damcam("moves", "W:W32:B28,19")
    assert "1 legal move" in out
    assert "32x14        path 32x23x14, takes 19, 28" in out
    assert out.splitlines()[5].split() == ["26", "27", "b", "28", "29", "30"]
    assert damcam("moves", "W:Wc3:Kb8", "--variant", "russian")[0] == 2
    out = damcam("moves", "W:Wc3:BKb8", "--variant", "russian")[1]
    assert out.splitlines()[0].split() == ["B", "b8", "d8", "f8", "h8"]


def test_perft_prints_one_number(damcam: Run) -> None:
    assert damcam("perft", 4) == (0, "4265\n", "")
    assert damcam("perft", 3, "--variant", "english") == (0, "302\n", "")
    assert damcam("perft", 0) == (0, "1\n", "")
    assert damcam("perft", 2, "--fen", "W:W32:B28,19") == (0, "0\n", "")
    out = damcam("perft", 2, "--divide")[1]
    assert "31-26 9\n" in out
    assert out.endswith("\n81\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("moves", "W:W31-51:B1"), "square must be 1-50"),
        (("perft", "-1"), "arguments"),
        (("check", "nothing.pdn"), "nothing.pdn: no such file or directory"),
        (("export", "nowhere"), "there is no nowhere"),
        (("replay", "nowhere"), "there is no nowhere"),
        (("record", "nowhere.mp4", "--out", "o"), "there is no file 'nowhere.mp4'"),
        (("record", "nowhere.mp4", "--out", "o", "--delay", "-1"), "delay_s must be"),
        (("record", "nowhere.mp4", "--out", "o", "--tag", "Round"), "NAME=VALUE"),
        (("record", "nowhere.mp4", "--out", "o", "--variant", "chess"), "variant must be one of"),
        (("record", "nowhere.mp4", "--out", "o", "--config", "no.toml"), "no such file"),
        (("read",), "give the pictures"),
    ],
)
def test_mistakes_get_one_sentence_no_traceback_and_leave_nothing(
    damcam: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(read_command, "reader_for", lambda **how: FixedReader())
    code, out, err = damcam(*words)
    assert (code, out) == (2, "")
    assert sentence in err or "perft" in words
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_check_names_the_first_fault(damcam: Run, tmp_path: Path) -> None:
    good, bad, empty = (tmp_path / f"{name}.pdn" for name in ("good", "bad", "empty"))
    good.write_text(write_pdn(played(random_moves(20, seed=1)), {"White": "A"}), encoding="utf-8")
    bad.write_text('[Event "x"]\n\n1. 32-28 19-23 2. 28-22 *\n', encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    code, out, _ = damcam("check", good)
    assert code == 0
    assert "A - ?, international, 20 plies" in out
    code, out, _ = damcam("check", bad, "--json")
    data = json.loads(out)
    assert (code, data["plies"], data["fault"]["line"], data["fault"]["column"]) == (1, 2, 3, 19)
    lines = damcam("check", bad)[1].splitlines()
    assert "line 3, column 19, after ply 2" in lines[1]
    assert lines[3].split() == ["b", "1", "b", "2", "b", "3", "b", "4", "b", "5"]
    assert len(lines) == 3 + 10
    assert damcam("check", empty)[0] == 1
    code, out, err = damcam("check", good, tmp_path / "none.pdn", "--profile", "lidraughts")
    assert (code, len(out.splitlines()), len(err.splitlines())) == (2, 1, 1)


def test_export_and_replay_make_the_files_again(damcam: Run, tmp_path: Path) -> None:
    header = Header(created_utc="2026-11-29T00:00:00", source="fake", tags=(("White", "A"),))
    journal = Journal.create(tmp_path / "journal.sqlite", header)
    entries = [journal.append(event) for event in told(random_moves(6, seed=1))]
    journal.close()
    assert damcam("export", tmp_path)[0] == 0
    events, pdn = ((tmp_path / name).read_bytes() for name in ("events.jsonl", "game.pdn"))
    assert len(events.splitlines()) == len(entries)
    assert b'[White "A"]' in pdn
    code, out, _ = damcam("replay", tmp_path / "journal.sqlite", "--out", tmp_path / "again")
    assert code == 0
    assert "0:00:06    3... " in out
    assert (tmp_path / "again" / "events.jsonl").read_bytes() == events
    assert (tmp_path / "again" / "game.pdn").read_bytes() == pdn
    assert damcam("replay", tmp_path, "--json")[1].encode() == events


def test_damaged_journal_is_one_sentence(damcam: Run, tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"x" * 5000)
    code, _, err = damcam("export", tmp_path)
    assert code == 2
    assert "is not a journal" in err
    assert len(err.splitlines()) == 1


class FixedReader:
    """Reads every bright picture as the start position, dark ones as no board."""

    def read(self, bgr: Image, *, lap: Callable[[str], object] = str.upper) -> Reading | None:
        lap("locate")
        lap("read")
        return reading_of(START.grid()) if bgr.mean() > 50 else None

    def read_all(
        self, bgr: Image, *, lap: Callable[[str], object] = str.upper
    ) -> tuple[Reading, ...]:
        reading = self.read(bgr, lap=lap)
        return () if reading is None else (reading,)

    def learn(self, position: Position) -> OneLook | None:
        """Learn from the start position alone."""
        prototypes = Prototypes(np.zeros((4, 2)), np.ones(2))
        look = OneLook(prototypes, 1.0, 4.0, tells_kings=True, separation=6.5)
        return look if position == START else None


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a picture of a board, one without, and no picture at all."""
    monkeypatch.setattr(read_command, "make_reader", lambda args: FixedReader())
    cv2.imwrite(str(tmp_path / "board.png"), np.full((41, 41, 3), 200, np.uint8))
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((40, 60, 3), np.uint8))
    (tmp_path / "text.png").write_text("no picture")
    return tmp_path


def test_read_tells_json_as_the_interface_has_it(damcam: Run, pictures: Path) -> None:
    code, out, _ = damcam("read", pictures / "board.png", "--json")
    data = json.loads(out)
    assert code == 0
    assert list(data) == [
        *("v", "source", "width", "height", "board", "grid", "fen", "confidence"),
        *("warnings", "timing_ms", "sight"),
    ]
    assert data["board"] == {
        "size": 10,
        "corners": [[0.0, 40.0], [40.0, 40.0], [40.0, 0.0], [0.0, 0.0]],
        "white_side": "bottom",
        "white_side_certain": True,
        "placed_correctly": True,
        "error_px": 0.25,
    }
    assert data["fen"] == "?:W31-50:B1-20"
    assert data["grid"] == list(START.grid())
    assert np.array(data["confidence"]).shape == (10, 10)
    assert list(data["timing_ms"]) == ["decode", "locate", "read"]


def test_read_without_a_board_is_exit_code_3(damcam: Run, pictures: Path) -> None:
    code, out, _ = damcam("read", pictures / "board.png", pictures / "dark.png", "--json")
    assert code == 3
    dark = json.loads(out.splitlines()[1])
    assert dark["board"] is None
    assert "grid" not in dark
    assert "fen" not in dark


def test_read_goes_on_after_what_is_no_picture(damcam: Run, pictures: Path) -> None:
    names = [pictures / name for name in ("text.png", "missing.png", "board.png")]
    code, out, err = damcam("read", *names, "--draw", pictures / "drawn")
    assert code == 2
    assert "20 white men, 20 black men" in out
    assert "?:W31-50:B1-20" in out
    assert len(err.splitlines()) == 2
    assert cv2.imread(str(pictures / "drawn" / "board.png")) is not None


def test_read_learns_from_a_look_at_the_start_position(damcam: Run, pictures: Path) -> None:
    board = pictures / "board.png"
    code, out, _ = damcam("read", "--look", board, board, "--json")
    assert code == 0
    assert json.loads(out)["sight"]["separation"] == 6.5
    code, _, err = damcam("read", "--look", board, "--look-fen", "W:WK1:BK50", board)
    assert code == 2
    assert "it must show the position W:WK1:BK50" in err
    assert damcam("read", "--look", pictures / "dark.png", board)[0] == 2
    assert damcam("read", "--look-fen", "W:WK1:BK50", board)[0] == 2


def test_read_scores_labels(damcam: Run, pictures: Path) -> None:
    label = {"file": "board.png", "size": 10, "grid": START.grid(), "conditions": ["plain"]}
    label["corners"] = [[0, 40], [40, 40], [40, 0], [0, 0]]
    (pictures / "labels.jsonl").write_text(json.dumps(label) + "\n")
    code, out, _ = damcam("read", "--score", pictures)
    assert code == 0
    figures = out.splitlines()[-1].split()
    assert figures[:7] == ["all", "1", "100.0", "%", "100.00", "%", "1/1"]
    assert "2.4 false" in out
    lines = damcam("read", "--score", pictures, "--json")[1].splitlines()
    assert json.loads(lines[0])["squares_right"] == 100
    assert damcam("read", "--score", pictures, "--split", "val")[0] == 2


def test_record_of_no_film_leaves_no_traceback(damcam: Run, tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"")
    code, out, err = damcam("record", tmp_path / "film.mp4", "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert "film.mp4" in err
    assert len(err.splitlines()) == 1


def test_a_reader_who_has_gone_is_no_error_to_tell() -> None:
    with pytest.raises(BrokenPipeError), telling(OSError):
        raise BrokenPipeError(32, "Broken pipe")
    with pytest.raises(CommandError, match="no space"), telling(OSError):
        raise OSError(28, "No space left")
