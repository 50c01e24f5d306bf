"""How much later than the hall spectators may see a game."""

from typing import Final

MAX_DELAY_S: Final = 24 * 3600
