from collections.abc import Sequence

from device import CameraLock, lock_camera
from device.camera_lock import parse_controls

LISTING = """
User Controls

                     brightness 0x00980900 (int)    : min=0 max=255 step=1 default=128 value=-3
        white_balance_automatic 0x0098090c (bool)   : default=1 value=1
      white_balance_temperature 0x0098091a (int)    : min=2000 max=6500 default=4000 value=4321 \
flags=inactive

Camera Controls

                  auto_exposure 0x009a0901 (menu)   : min=0 max=3 default=3 value=3 (Aperture \
Priority Mode)
         exposure_time_absolute 0x009a0902 (int)    : min=3 max=2047 default=250 value=156
     focus_automatic_continuous 0x009a090c (bool)   : default=1 value=1
                 focus_absolute 0x009a090a (int)    : min=0 max=250 default=0 value=35
"""


class Tool:
    """Stands in for v4l2-ctl."""

    def __init__(self, listing: str, refuses: str = "nothing") -> None:
        self.listing, self.refuses = listing, refuses
        self.told: list[str] = []

    def __call__(self, words: Sequence[str]) -> str:
        assert list(words[:3]) == ["v4l2-ctl", "-d", "/dev/video0"]
        if words[3] == "--list-ctrls":
            return self.listing
        if self.refuses in words[3]:
            raise OSError("Permission denied")
        self.told.append(words[3].removeprefix("--set-ctrl="))
        return ""


def test_values_of_controls_are_parsed() -> None:
    controls = parse_controls(LISTING)
    assert (controls["brightness"], controls["white_balance_temperature"]) == (-3, 4321)
    assert len(controls) == 7


def test_automatics_are_switched_off_at_the_values_they_found() -> None:
    tool = Tool(LISTING)
    lock = lock_camera("/dev/video0", tool)
    assert tool.told == [
        "auto_exposure=1",
        "exposure_time_absolute=156",
        "white_balance_automatic=0",
        "white_balance_temperature=4321",
        "focus_automatic_continuous=0",
        "focus_absolute=35",
    ]
    assert [f"{name}={value}" for name, value in lock.held] == tool.told
    assert lock.problem == ""


def test_what_the_driver_refuses_is_told_and_the_rest_is_locked() -> None:
    lock = lock_camera("/dev/video0", Tool(LISTING, refuses="focus_absolute"))
    assert len(lock.held) == 5
    assert lock.problem == "focus_absolute: Permission denied"


def test_camera_without_automatics_says_so() -> None:
    lock = lock_camera("/dev/video0", Tool(""))
    assert lock == CameraLock(problem="the camera has no automatics that could be switched off")


def test_missing_tool_is_told() -> None:
    def missing(words: Sequence[str]) -> str:
        raise OSError("v4l2-ctl is not installed")

    assert lock_camera("/dev/video0", missing).problem == "v4l2-ctl is not installed"


def test_a_listing_of_blank_lines_only_lists_no_controls() -> None:
    assert parse_controls("\n" * 100_000) == {}


def test_a_value_that_no_control_has_is_passed_over() -> None:
    assert parse_controls(f"gain 0x00980913 (int) : value={'9' * 5000}\n") == {}
