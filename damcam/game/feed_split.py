"""Where a relay parts a feed into games: at a blank line with a tag behind it."""


def split_feed(text: str) -> list[tuple[int, str]]:
    """Return (first line, text) of each game; lines are counted from 1 in the whole text."""
    games: list[tuple[int, list[str]]] = []
    is_blank = True
    for number, row in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not games or (is_blank and row.startswith("[")):
            games.append((number, []))
        if row.strip() or games[-1][1]:
            games[-1][1].append(row)
        else:
            games[-1] = (number + 1, [])
        is_blank = not row.strip()
    return [(line, "\n".join(rows).strip()) for line, rows in games if rows]
