"""Settings from a file and the command line: right values in, one sentence for wrong ones."""

from pathlib import Path
from typing import Any

import pytest

from damcam.settings import Settings, SettingsError, load_settings
from rules import Color, Position, Variant, to_fen


def test_defaults_need_no_file() -> None:
    settings = load_settings(None, {})
    assert settings == Settings()
    assert settings.board_size is None
    assert settings.start_position(Variant.INTERNATIONAL) is None
    assert settings.control.text == "4800+60"


def test_place_of_the_board_is_read(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'size = 10\nregion = "0,0,0.5,1"\ncorners = [[1, 2], [9.5, 2], [9, 9], [1, 9]]\n',
        encoding="utf-8",
    )
    settings = load_settings(path, {})
    assert settings.corners == ((1, 2), (9.5, 2), (9, 9), (1, 9))
    assert settings.region == "0,0,0.5,1"


def test_command_line_overrules_the_file_and_tags_are_added(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'white-side = "left"\nsize = 8\nmirrored = true\ntime_control = "300+3"\n'
        '[tags]\nEvent = "Club"\nWhite = "A"\n',
        encoding="utf-8",
    )
    settings = load_settings(path, {"white_side": "top", "tags": {"White": "B"}})
    assert (settings.white_side, settings.size, settings.mirrored) == ("top", "8", True)
    assert settings.tags == (("Event", "Club"), ("White", "B"))
    assert settings.control.text == "300+3"
    assert dict(settings.as_texts())["white_side"] == "top"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("witeside = 'left'", "did you mean 'white_side'"),
        ("white-side = 'middle'", "bottom, right, top, left"),
        ("mirrored = 'yes'", "mirrored must be bool"),
        ("delay_s = -1", "delay_s must be"),
        ("region = '0,0,2,1'", "left,top,width,height"),
        ("size = 10\ncorners = [[0, 0], [9, 0], [9, 9]]", "four points"),
        ("size = 10\ncorners = [[0, 0], [9, 0], [9, 9], ['a', 9]]", "four points"),
        ("size = 10\ncorners = [1, 2, 3, 4]", "four points"),
        ("corners = [[0, 0], [9, 0], [9, 9], [0, 9]]", "need the size"),
        ("size = 9", "auto, 8, 10, 12"),
        ("[tags]\n'Two words' = 'x'", "letters only"),
        ("[tags]\nRound = 3", "must be text"),
        ("tags = 3", "tags must be dict"),
        ("=", "is not TOML"),
        ("profile = 'mine'", "fmjd2024"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=reason):
        load_settings(path, {})


def test_variant_tells_the_size_of_the_board() -> None:
    assert Settings(variant="english").board_size == 8
    assert Settings(variant="canadian").board_size == 12
    assert Settings(size="10").board_size == 10


def test_start_is_a_fen_or_who_moves_first() -> None:
    variant = Variant.INTERNATIONAL
    fen = to_fen(Position.start(variant).with_side_to_move(Color.BLACK))
    first = Settings(first="black").start_position(variant)
    given = Settings(start=fen).start_position(variant)
    assert first == given == Position.start(variant).with_side_to_move(Color.BLACK)
    with pytest.raises(SettingsError, match="start: a FEN"):
        Settings(start="nonsense")
    with pytest.raises(SettingsError, match=r"start: .*1-32"):
        Settings(start=fen, size="8")
    with pytest.raises(SettingsError, match="size must be one of auto, 8"):
        Settings(variant="english", size="10")
    with pytest.raises(SettingsError, match="time control"):
        _ = Settings(time_control="soon").control


@pytest.mark.parametrize(
    ("profile", "flag_fall", "ends"),
    [
        ("auto", "auto", False),
        ("fmjd2024", "auto", False),
        ("lidraughts", "auto", True),
        ("lidraughts", "told", False),
        ("fmjd2024", "ends", True),
    ],
)
def test_fallen_flag_ends_the_game_by_profile_or_by_setting(
    profile: str, flag_fall: str, ends: bool
) -> None:
    assert Settings(profile=profile, flag_fall=flag_fall).flag_ends is ends


@pytest.mark.parametrize("wrong", [{"flag_fall": "maybe"}, {"extra_time_s": -1}])
def test_what_the_clock_cannot_do_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Settings(**wrong)


def test_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(SettingsError, match="UTF-8"):
        Settings(tags=(("White", "\udcff"),))
    with pytest.raises(SettingsError, match="UTF-8"):
        Settings(source="\udcff.mp4")


@pytest.mark.parametrize("text", ["a = " + "[" * 10_000, "size = " + "9" * 5000])
def test_file_that_is_too_deep_or_too_long_is_said_to_be_no_toml(tmp_path: Path, text: str) -> None:
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="TOML"):
        load_settings(path, {})
