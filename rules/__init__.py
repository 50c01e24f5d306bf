"""What is legal: squares, positions, moves, games, notation. Imports nothing but the stdlib.

Nothing here reads a clock, a file or a picture.
"""

from .announcement import (
    announce_move,
    number_words,
)
from .arbiter import (
    explaining_moves,
    judge,
)
from .ballot import (
    Opening,
    ballot_deck,
    draw_opening,
    find_opening,
    openings,
)
from .claims import (
    DrawClaim,
    DrawProposal,
    declare_draw,
    draw_claims,
    proposal_objection,
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
from .dxp import (
    BackAnswer,
    BackRequest,
    BadDxpMessage,
    Chat,
    DxpDecoder,
    DxpMessage,
    GameAnswer,
    GameEnd,
    GameRequest,
    PlayedMove,
    dxp_move,
    dxp_text,
    encode_dxp,
    find_dxp_move,
    parse_dxp,
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
from .forms import (
    Exhibition,
    FormOfPlay,
    FormRules,
    form_rules,
    handicap,
    handicap_objection,
)
from .game import (
    Game,
    Setup,
)
from .hub import (
    HubMessage,
    hub_line,
    hub_move,
    hub_position,
    parse_hub,
    parse_hub_move,
    parse_hub_position,
)
from .incident import (
    Incident,
    IncidentState,
)
from .move import Move
from .moves import (
    generate_moves,
    last_move,
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
from .pdn_annotated import (
    write_annotated_pdn,
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
from .start_check import (
    check_start,
)
from .verdict import (
    Judgement,
    JudgementKind,
    Verdict,
)

__all__ = [
    "AmbiguousMoveError",
    "BackAnswer",
    "BackRequest",
    "BadDxpMessage",
    "Chat",
    "ClockTimes",
    "Color",
    "DrawClaim",
    "DrawCounters",
    "DrawProfile",
    "DrawProposal",
    "DxpDecoder",
    "DxpMessage",
    "Evidence",
    "Exhibition",
    "FormOfPlay",
    "FormRules",
    "Game",
    "GameAnswer",
    "GameEnd",
    "GameRequest",
    "GameType",
    "HubMessage",
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
    "Opening",
    "Outcome",
    "PdnFault",
    "PdnGame",
    "PdnMove",
    "Piece",
    "PlayedMove",
    "Position",
    "Removal",
    "Ruleset",
    "Setup",
    "Square",
    "Termination",
    "Touch",
    "Variant",
    "Verdict",
    "announce_move",
    "ballot_deck",
    "board_outcome",
    "board_size",
    "check_start",
    "clause_for",
    "clause_titles",
    "clock_comment",
    "clock_time",
    "declare_draw",
    "decode_pdn",
    "default_profile",
    "draw_claims",
    "draw_opening",
    "draw_profile",
    "draw_profiles",
    "dxp_move",
    "dxp_text",
    "encode_dxp",
    "explaining_moves",
    "find_dxp_move",
    "find_opening",
    "form_rules",
    "generate_moves",
    "handicap",
    "handicap_objection",
    "hub_line",
    "hub_move",
    "hub_position",
    "judge",
    "last_move",
    "legal_moves",
    "long_diagonal",
    "move_text",
    "number_words",
    "openings",
    "parse_clock",
    "parse_dxp",
    "parse_fen",
    "parse_game_type",
    "parse_hub",
    "parse_hub_move",
    "parse_hub_position",
    "parse_move",
    "perft",
    "proposal_objection",
    "read_pdn",
    "row_column",
    "ruleset",
    "sign_meanings",
    "square_at",
    "square_count",
    "square_text",
    "strength_nags",
    "to_fen",
    "write_annotated_pdn",
    "write_pdn",
]
