"""The set-up in a terminal: a few questions whose answers are there already."""

from typing import Final

from rich.console import Console
from rich.prompt import Confirm, Prompt

from ..reading.corners import board_corners
from ..settings import Settings, SettingsError
from .camera_desk import Look
from .look_json import look_json
from .wizard import Wizard

FIRST_LOOK_S: Final = 20.0
"""Cameras take some seconds to open, and the first search for the board takes one."""

LOOKS: Final = 6
"""So many looks until White's side is as sure as it gets."""

SIDES: Final = ("bottom", "left", "top", "right")
MARKS: Final = {"ok": "  ok     ", "warning": "? warning", "error": "! error  "}


class TerminalSetup:
    """Asks what the page asks, in the same order."""

    def __init__(self, wizard: Wizard, console: Console, *, asks: bool = True) -> None:
        """Prepare; where nothing is asked, what was found is taken."""
        self._wizard = wizard
        self._console = console
        self._asks = asks

    def run(self, serve: str) -> bool:
        """Ask, then write the settings; tell whether the game may begin.

        Args:
            serve: HOST:PORT where the game will be shown.

        Raises:
            SettingsError: Nothing is asked, and there is no camera or what was found is no good.
            OSError: The settings cannot be written.
        """
        self._choose_camera()
        look = self._look()
        if look is None:
            raise SettingsError(self._wizard.cameras.problem or "the camera shows nothing")
        self._tell(look)
        if self._asks and look.reading is not None:
            self._ask_side(look)
        if self._asks:
            self._ask_devices()
            self._ask_names()
        if self._asks and not Confirm.ask("Start recording", console=self._console, default=True):
            return False
        self._wizard.finish(serve)
        return True

    def _choose_camera(self) -> None:
        cameras = self._wizard.found_cameras()
        for camera in cameras:
            self._console.print(f"  {camera.address}  {camera.name}", markup=False)
        now = self._wizard.settings.source
        if not self._asks:
            return
        while True:
            answer = self._ask("Camera, stream or film", now)
            if answer and self._is_taken({"source": answer}):
                return

    def _look(self) -> Look | None:
        look = self._wizard.cameras.look(-1, FIRST_LOOK_S)
        for _ in range(LOOKS):
            newer = self._wizard.cameras.look(look.frame if look else -1, 1.0)
            look = newer or look
        return look

    def _tell(self, look: Look) -> None:
        data = look_json(look.frame, look.bgr, look.reading, self._wizard.settings)
        for one in data["advice"]:
            self._console.print(f"{MARKS[one['status']]}  {one['text']}", markup=False)
            if one["advice"]:
                self._console.print(f"             {one['advice']}", markup=False)
        for problem in data["problems"]:
            self._console.print(f"? start      {problem}", markup=False)
        if look.reading is not None and not data["problems"]:
            self._console.print("  ok       the start position stands")
        if look.reading is not None:
            corners = ", ".join(f"({x:.0f}, {y:.0f})" for x, y in board_corners(look.reading.pose))
            self._console.print(f"           corners {corners}", markup=False)

    def _ask_side(self, look: Look) -> None:
        if look.reading is None:
            return
        found = look.reading.pose.white_side
        side = self._ask("White sits at the side of the picture", found, choices=SIDES)
        is_mirrored = Confirm.ask(
            "Does writing in the picture read backwards",
            console=self._console,
            default=self._wizard.settings.mirrored,
        )
        self._is_taken({"white_side": side, "mirrored": is_mirrored})

    def _ask_devices(self) -> None:
        if Confirm.ask("Look for clock and lights", console=self._console, default=False):
            for device in self._wizard.devices.find():
                self._console.print(f"  {device.text} on {device.port}", markup=False)
                found = {"clock": device.clock, "leds": device.leds}
                self._is_taken({name: url for name, url in found.items() if url})
        for name in ("clock", "leds"):
            self._until_taken(name, name.capitalize())
        self._until_taken("time_control", "Time control (empty: none)")

    def _ask_names(self) -> None:
        tags = dict(self._wizard.settings.tags)
        names = {name: self._ask(name, tags.get(name, "")) for name in ("White", "Black", "Event")}
        self._is_taken({"tags": names})

    def _until_taken(self, name: str, question: str) -> None:
        while not self._is_taken({name: self._ask(question, getattr(self.settings, name))}):
            continue

    @property
    def settings(self) -> Settings:
        """Return the settings so far."""
        return self._wizard.settings

    def _is_taken(self, values: dict[str, object]) -> bool:
        """Change settings; say what is wrong with them."""
        try:
            self._wizard.change(values)
        except SettingsError as error:
            self._console.print(f"! {error}", markup=False)
            return False
        return True

    def _ask(self, question: str, now: str, *, choices: tuple[str, ...] = ()) -> str:
        answer = Prompt.ask(
            question, console=self._console, default=now, choices=list(choices) or None
        )
        return answer.strip()
