"""Words that are looked up by what the journal holds; `message` marks them for the catalogues."""

from typing import Final


def message(text: str) -> str:
    """Return the text; the collector of messages finds it by this name."""
    return text


BOARD_STATES: Final = {
    "unseen": message("No board seen yet"),
    "found": message("Board in view"),
    "lost": message("Board lost"),
    "disturbed": message("Pieces disturbed"),
}
DECISIONS: Final = {
    "open": message("open"),
    "rectified": message("rectified"),
    "accepted": message("accepted"),
    "decided": message("decided"),
}
DISPUTES: Final = {
    "press without a move": message("pressed the clock, but made no move"),
    "move without a press": message("moved, but did not press the clock"),
    "wrong player's press": message("pressed the clock in the opponent's turn"),
}
"""How lever and camera differ, by what the event says; the player is named before it."""

REASONS: Final = {
    "": message("not said"),
    "blocked": message("no move left"),
    "no pieces": message("no pieces left"),
    "resignation": message("resignation"),
    "refusal": message("refusal to play on"),
    "flag fall": message("time is up"),
    "agreement": message("draw by agreement"),
    "repetition": message("draw by repetition"),
    "king moves": message("draw: 25 moves with kings only"),
    "sixteen moves": message("draw: 16 moves, three kings against one"),
    "five moves": message("draw: 5 moves, two kings against one"),
    "claim": message("draw by claim"),
    "declared": message("draw declared by the referee"),
    "both lost": message("lost for both"),
    "forfeit": message("forfeit"),
    "entered by the operator": message("entered by the operator"),
    "declared by the arbiter": message("declared by the arbiter"),
}
"""Why a game ended, by what its event says."""

TAGS: Final = {
    "White": message("White"),
    "Black": message("Black"),
    "Event": message("Event"),
    "Site": message("Site"),
    "Round": message("Round"),
    "Date": message("Date"),
    "TimeControl": message("Time control"),
}
