"""Perft against every table of the shared folder: `python -m tests.rules.perft_bench`.

Counts to the deepest depth that has at most `--lines` lines (the default takes up to a minute a
table) and prints the deepest number of each table. Exits with 1 if any number differs.
"""

import argparse
import json
import sys
from time import process_time
from typing import Any

from rules import Position, Variant, parse_fen, perft
from tests.rules.rules_bench import SHARED


def show_table(table: dict[str, Any], lines: int) -> bool:
    """Count one table, print its deepest number and tell whether all were right."""
    variant = Variant(table["variant"])
    is_start = table["fen"] == "start"
    start = Position.start(variant) if is_start else parse_fen(table["fen"], variant, lenient=True)
    wanted = [count for count in table["computed_here"] if count <= lines]
    began = process_time()
    counted = [perft(start, depth) for depth in range(1, len(wanted) + 1)]
    seconds = process_time() - began
    verdict = "as published" if counted == wanted else f"WRONG, should be {wanted[-1]:,}"
    name = f"{variant.value} {table['position']}"
    print(
        f"{name:<31}depth {len(wanted):>2}{counted[-1]:>13,}  {verdict}, {seconds:5.1f} s",
        flush=True,
    )
    return counted == wanted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=20_000_000)
    options = parser.parse_args()
    tables = json.loads((SHARED / "reference" / "perft.json").read_text(encoding="utf-8"))
    known = {variant.value for variant in Variant}
    chosen = [
        table
        for table in tables["tables"]
        if table["counting"] == "drop" and table["variant"] in known
    ]
    return 0 if all([show_table(table, options.lines) for table in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
