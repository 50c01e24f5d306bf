"""What the controller's lamps show and what is missing to what they should show."""

from collections.abc import Mapping

from rules import Square

from ..leds.pattern import DARK, Rgb

MAX_SQUARES_A_LINE = 10
"""Ten squares of ten characters each fill a line."""


class Lamps:
    """Says which lines bring the lamps to the colors wanted; repeats what was lost."""

    def __init__(self) -> None:
        self._shown: dict[Square, Rgb] | None = None
        self._sent: dict[Square, Rgb] = {}

    def forget(self) -> None:
        """Note that nobody knows what the lamps show."""
        self._shown = None

    def next_line(self, wanted: Mapping[Square, Rgb]) -> str | None:
        """Return the next line to send, None when the lamps are as they should be."""
        if self._shown is None:
            return "L CLEAR"
        shown = self._shown
        differing = sorted(
            square
            for square in wanted.keys() | shown.keys()
            if wanted.get(square, DARK) != shown.get(square, DARK)
        )
        if not differing:
            return None
        self._sent = {square: wanted.get(square, DARK) for square in differing[:MAX_SQUARES_A_LINE]}
        return "L " + " ".join(f"{square}:{bytes(rgb).hex()}" for square, rgb in self._sent.items())

    def done(self, line: str) -> None:
        """Note that the device carried out a line of ours."""
        if line == "L CLEAR":
            self._shown = {}
        elif self._shown is not None:
            self._shown.update(self._sent)
