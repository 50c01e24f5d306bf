"""Lights for a table without lamps: one line of text for every change."""

from collections.abc import Callable

from .pattern import LOOKS, LightPattern


class ScreenLights:
    """Writes what lamps would show."""

    def __init__(self, write: Callable[[str], object]) -> None:
        """Take where lines go, such as `sys.stderr.write`."""
        self._write = write
        self._pattern = LightPattern()

    def show(self, pattern: LightPattern) -> None:
        """Write the pattern where it is another one than before."""
        if pattern != self._pattern:
            self._pattern = pattern
            self._write(f"lights: {describe(pattern)}\n")

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


def describe(pattern: LightPattern) -> str:
    """Return the pattern in words with its rhythms."""
    if pattern.is_dark:
        return "dark"
    return "; ".join(
        " ".join((mark.kind.value, *map(str, mark.squares)))
        + f" ({LOOKS[mark.kind].rhythm.name.lower().replace('_', ' ')})"
        for mark in pattern.marks
    )
