"""What is legal: squares, positions, moves, games, notation. Imports nothing but the stdlib.

Nothing here reads a clock, a file or a picture.
"""

from .arbiter import explaining_moves, judge, last_move
from .clauses import clause_for, clause_titles
from .draws import DrawCounters, DrawProfile, default_profile, draw_profile, draw_profiles
from .errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidFenError,
    InvalidMessageError,
    InvalidPdnError,
)
from .evidence import Evidence, Landing, Removal, Touch
from .fen import parse_fen, square_text, to_fen
from .game import Game, Setup
from .incident import Incident, IncidentState
from .moves import Move, legal_moves, perft
from .notation import move_text, parse_move
from .outcome import Outcome, Termination
from .pdn_writer import write_pdn
from .position import Piece, Position
from .squares import (
    Color,
    Ruleset,
    Square,
    Variant,
    board_size,
    long_diagonal,
    row_column,
    ruleset,
    square_at,
    square_count,
)
from .verdict import Judgement, JudgementKind, Verdict

__all__ = [
    "AmbiguousMoveError",
    "Color",
    "DrawCounters",
    "DrawProfile",
    "Evidence",
    "Game",
    "IllegalMoveError",
    "Incident",
    "IncidentState",
    "InvalidFenError",
    "InvalidMessageError",
    "InvalidPdnError",
    "Judgement",
    "JudgementKind",
    "Landing",
    "Move",
    "Outcome",
    "Piece",
    "Position",
    "Removal",
    "Ruleset",
    "Setup",
    "Square",
    "Termination",
    "Touch",
    "Variant",
    "Verdict",
    "board_size",
    "clause_for",
    "clause_titles",
    "default_profile",
    "draw_profile",
    "draw_profiles",
    "explaining_moves",
    "judge",
    "last_move",
    "legal_moves",
    "long_diagonal",
    "move_text",
    "parse_fen",
    "parse_move",
    "perft",
    "row_column",
    "ruleset",
    "square_at",
    "square_count",
    "square_text",
    "to_fen",
    "write_pdn",
]
