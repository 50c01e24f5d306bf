"""`damcam setup` as a user runs it: in the terminal, and with nothing asked."""

import io
from pathlib import Path

import cv2
import pytest
from rich.console import Console

from damcam.cli.main import run
from damcam.settings import load_settings
from damcam.setup import CameraDesk, DeviceDesk, Wizard, qr_svg, qr_text
from damcam.setup.terminal import TerminalSetup
from damcam.simulation import SimulatedCamera, random_game, script_of
from rules import Variant
from tests.damcam.fakes import FakeTracker


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with pictures of a board in the start position."""
    folder = tmp_path_factory.mktemp("film")
    game = random_game(Variant.INTERNATIONAL, 2, plies=2)
    frames = SimulatedCamera(script_of(game, seed=2), seed=2)
    for number in range(8):
        cv2.imwrite(str(folder / f"{number}.png"), next(frames).bgr)
    return folder


def test_set_up_without_questions_writes_what_it_found(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "club.toml"
    assert run(["setup", str(film), "--yes", "--no-record", "--config", str(path)]) == 0
    out = capsys.readouterr().out
    assert "10x10 squares" in out
    assert "the start position stands" in out
    assert f"damcam record --config {path}" in out
    settings = load_settings(path, {})
    assert (settings.source, settings.out) == (str(film), "games")


def test_set_up_without_a_camera_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damcam.setup.terminal.FIRST_LOOK_S", 0.1)
    arguments = ["setup", "/no/such/film", "--yes", "--config", str(tmp_path / "a.toml")]
    assert run(arguments) == 2
    assert "there is no file '/no/such/film'" in capsys.readouterr().err
    assert not (tmp_path / "a.toml").exists()


ANSWERS = "{film}\nleft\ny\nn\nsoftware:\nscreen:\nsoon\nfmjd-blitz\nA. Vos\nB. Smit\n\n{go}\n"


@pytest.mark.parametrize(("go", "is_done"), [("y", True), ("n", False)])
def test_questions_in_the_terminal(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, go: str, is_done: bool
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(ANSWERS.format(film=film, go=go)))
    desk, out = CameraDesk(lambda settings: FakeTracker()), io.StringIO()
    wizard = Wizard(tmp_path / "club.toml", desk, DeviceDesk(lambda: ()), found_cameras=lambda: ())
    try:
        assert TerminalSetup(wizard, Console(file=out)).run("127.0.0.1:8000") is is_done
    finally:
        desk.close()
    assert (tmp_path / "club.toml").exists() is is_done
    assert "a time control is written like" in " ".join(out.getvalue().split())
    if is_done:
        settings = load_settings(tmp_path / "club.toml", {})
        assert (settings.white_side, settings.mirrored) == ("left", True)
        assert settings.time_control == "fmjd-blitz"
        assert settings.tags == (("White", "A. Vos"), ("Black", "B. Smit"))


def test_address_is_given_as_a_code_for_phones() -> None:
    url = "http://192.168.1.5:8000/#key"
    assert len(qr_text(url).splitlines()) > 10
    assert qr_svg(url).startswith("<svg")
