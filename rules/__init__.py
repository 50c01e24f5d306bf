"""What is legal: squares, positions, moves, games, notation. Imports nothing but the stdlib.

Nothing here reads a clock, a file or a picture.
"""

from .arbiter import (
    explaining_moves,
    judge,
    last_move,
)
from .clauses import (
    clause_for,
    clause_titles,
)
from .draws import (
    DrawCounters,
    DrawProfile,
    default_profile,
    draw_profile,
    draw_profiles,
)
from .errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidFenError,
    InvalidMessageError,
    InvalidPdnError,
)
from .evidence import (
    Evidence,
    Landing,
    Removal,
    Touch,
)
from .fen import (
    parse_fen,
    square_text,
    to_fen,
)
from .game import (
    Game,
    Setup,
)
from .incident import (
    Incident,
    IncidentState,
)
from .moves import (
    Move,
    generate_moves,
    legal_moves,
    perft,
)
from .notation import (
    move_text,
    parse_move,
)
from .outcome import (
    Outcome,
    Termination,
    board_outcome,
)
from .pdn_reader import (
    PdnFault,
    PdnGame,
    PdnMove,
    decode_pdn,
    read_pdn,
)
from .pdn_tags import (
    ClockTimes,
    GameType,
    clock_comment,
    clock_time,
    parse_clock,
    parse_game_type,
    sign_meanings,
    strength_nags,
)
from .pdn_writer import (
    write_pdn,
)
from .position import (
    Piece,
    Position,
)
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
from .verdict import (
    Judgement,
    JudgementKind,
    Verdict,
)

__all__ = [
    "AmbiguousMoveError",
    "ClockTimes",
    "Color",
    "DrawCounters",
    "DrawProfile",
    "Evidence",
    "Game",
    "GameType",
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
    "PdnFault",
    "PdnGame",
    "PdnMove",
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
    "board_outcome",
    "board_size",
    "clause_for",
    "clause_titles",
    "clock_comment",
    "clock_time",
    "decode_pdn",
    "default_profile",
    "draw_profile",
    "draw_profiles",
    "explaining_moves",
    "generate_moves",
    "judge",
    "last_move",
    "legal_moves",
    "long_diagonal",
    "move_text",
    "parse_clock",
    "parse_fen",
    "parse_game_type",
    "parse_move",
    "perft",
    "read_pdn",
    "row_column",
    "ruleset",
    "sign_meanings",
    "square_at",
    "square_count",
    "square_text",
    "strength_nags",
    "to_fen",
    "write_pdn",
]
