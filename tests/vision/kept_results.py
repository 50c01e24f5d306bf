"""Results of single games, kept in a file: a long bench that is broken off goes on where it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Result = dict[str, Any]
"""Counts and figures of one game, as JSON keeps them."""


class KeptResults:
    """Plays a game only where its result is not known yet.

    One file is of one build: delete it when the code has changed.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Result] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                kept = json.loads(line)
                self._known[kept["key"]] = kept["result"]

    def of(self, key: str, run: Callable[[], Result]) -> Result:
        """Return the result known by this key, or run the game and keep what it comes to."""
        if key not in self._known:
            self._known[key] = run()
            if self._path is not None:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "result": self._known[key]}) + "\n")
        return self._known[key]
