"""TOML of bounded depth: tomllib takes time and memory by the square of the parts of a key."""

import tomllib
from typing import Any, Final

MOST_DOTS: Final = 100
"""Points in a line; no key of ours has more than two."""
MOST_CHARACTERS: Final = 1_000_000


def read_toml_text(text: str) -> dict[str, Any]:
    """Return what a TOML text says.

    Raises:
        ValueError: It is none, it is too long, or a line holds more points than any setting does.
        RecursionError: Its lists lie too deep in each other.
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"it is longer than {MOST_CHARACTERS:,} characters")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has more than {MOST_DOTS} points")
    return tomllib.loads(text)
