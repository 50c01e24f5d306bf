import json
import subprocess
import sys
from pathlib import Path

import cv2


def film(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "damcam.simulation", "--width", "320", "--height", "180"]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)


def test_command_writes_film_labels_and_truth(tmp_path: Path) -> None:
    out = tmp_path / "films" / "film.mp4"
    done = film("--seed", "3", "--plies", "2", "--pace", "blitz", "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = out.with_suffix(".labels.jsonl").read_text().splitlines()
    labels = [json.loads(line) for line in lines]
    truth = json.loads(out.with_suffix(".truth.json").read_text())
    capture = cv2.VideoCapture(str(out))
    assert int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) == len(labels)
    assert labels[0]["grid"][0] == ".b.b.b.b.b"
    assert [move["ply"] for move in truth["moves"]] == [1, 2]
    assert truth["start"] == "W:W31-50:B1-20"


def test_command_films_a_game_from_pdn(tmp_path: Path) -> None:
    pdn, out = tmp_path / "game.pdn", tmp_path / "film.mp4"
    pdn.write_text('[GameType "20"]\n1. 32-28 18-23 *\n')
    done = film("--pdn", str(pdn), "--pace", "blitz", "--out", str(out))
    assert done.returncode == 0, done.stderr
    truth = json.loads(out.with_suffix(".truth.json").read_text())
    assert [move["move"] for move in truth["moves"]] == ["32-28", "18-23"]


def test_missing_pdn_is_one_sentence(tmp_path: Path) -> None:
    done = film("--pdn", str(tmp_path / "none.pdn"), "--out", str(tmp_path / "film.mp4"))
    assert done.returncode == 2
    assert "none.pdn" in done.stderr
    assert "Traceback" not in done.stderr
