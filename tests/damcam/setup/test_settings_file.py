"""The settings file: what a person wrote in it stays, and what is written can be read."""

from pathlib import Path

import pytest

from damcam.settings import Settings, SettingsError, load_settings
from damcam.setup import settings_text, write_settings

CHOSEN = Settings(
    source="/dev/v4l/by-id/usb-cam",
    out="games",
    size="10",
    white_side="left",
    mirrored=True,
    corners=((1.5, 2.0), (9.0, 2.0), (9.0, 9.0), (1.0, 9.0)),
    time_control="fmjd",
    tags=(("White", "A. Vos"), ("Event", 'The "Open"')),
)


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "damcam.toml"
    write_settings(path, CHOSEN)
    assert load_settings(path, {}) == CHOSEN
    write_settings(path, CHOSEN)
    assert load_settings(path, {}) == CHOSEN


def test_defaults_are_not_written() -> None:
    text = settings_text(Settings(source="0"))
    assert "source" in text
    assert "white_side" not in text


def test_comments_order_and_spelling_of_a_person_stay() -> None:
    before = '# Hall 2\nwhite-side = "top"  # under the window\n\n[tags]\nSite = "Wageningen"\n'
    text = settings_text(CHOSEN, before)
    assert text.startswith('# Hall 2\nwhite-side = "left"  # under the window\n')
    assert 'Site = "Wageningen"\nWhite = "A. Vos"' in text
    assert "white_side" not in text


def test_setting_that_goes_back_to_its_default_is_changed_where_it_stands() -> None:
    assert "mirrored = false # flipped" in settings_text(Settings(), "mirrored = true # flipped\n")


def test_file_that_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "damcam.toml"
    path.write_text("source = \n", encoding="utf-8")
    with pytest.raises(SettingsError, match="not TOML"):
        write_settings(path, CHOSEN)
    assert path.read_text(encoding="utf-8") == "source = \n"
