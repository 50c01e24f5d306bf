"""Games at the clock that an oracle played."""

import json
from pathlib import Path
from typing import Any

ORACLE = Path(__file__).parents[2] / "data" / "clocks" / "oracle.json"
GAMES: list[dict[str, Any]] = json.loads(ORACLE.read_text(encoding="utf-8"))
