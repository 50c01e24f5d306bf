"""The OpenAPI description of what programs may read of a hub, and write to it."""

from functools import cache
from typing import Final

from ..serve.openapi import (
    AFTER,
    ANY_TEXT,
    BOOLEAN,
    INTEGER,
    PDN,
    PUSH,
    RESULTS,
    TEXT,
    JsonSchema,
    answer,
    changes_answer,
    document,
    edit_operation,
    events_answer,
    get,
    list_of,
    object_of,
    parameter,
    push_operation,
    ref,
    schemas,
)
from .hall_events import MOST_BOARDS, MOST_ROUNDS

BOARD: Final[JsonSchema] = {"type": "integer", "minimum": 1, "maximum": MOST_BOARDS}
ROUND: Final[JsonSchema] = {"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS}
BOARD_IN_PATH: Final = parameter("board", "The board in the round", BOARD, place="path")
ROUND_IN_PATH: Final = parameter("number", "The round", ROUND, place="path")
BOARD_ASKED: Final = parameter("board", "The board; the first one if none is named", BOARD)


@cache
def hall_openapi_text() -> str:
    """Return the document as JSON."""
    known = schemas()
    served = {name: known[name] for name in ("Clocks", "Dispute", "Flag", "Game", "Move")}
    served |= {"Push": known["Push"], "Refusal": known["Refusal"], "Setup": known["Setup"]}
    return document(_paths(), served | _hall_schemas())


def _hall_schemas() -> dict[str, JsonSchema]:
    return {
        "Round": object_of(
            v={"const": 1},
            round=INTEGER,
            rounds={"type": "array", "items": INTEGER},
            boards=list_of("RoundBoard"),
        ),
        "RoundBoard": object_of(
            board=INTEGER,
            white=TEXT,
            black=TEXT,
            result={"type": "string", "enum": RESULTS},
            plies=INTEGER,
            last_move=ANY_TEXT,
            fen=ANY_TEXT,
            is_live=BOOLEAN,
            seq=INTEGER,
        ),
        "Health": object_of(
            status={"const": "ok"}, seq=INTEGER, round=INTEGER, boards=INTEGER, refused=INTEGER
        ),
    }


def _paths() -> dict[str, JsonSchema]:
    pdn = answer(PDN, "text/plain", TEXT, "304", "404")
    game = answer("The game as it is", "application/json", ref("Game"), "304", "404")
    round_ = answer("Who plays where, and how it stands", "application/json", ref("Round"), "304")
    return {
        "/api/round": get("round", round_),
        "/api/game": get("game", game, BOARD_ASKED),
        "/api/events": get("events", events_answer("404"), BOARD_ASKED, AFTER),
        "/api/hall/events": get("changes", changes_answer()),
        "/games.pdn": get("games", answer(PDN, "text/plain", TEXT, "304")),
        "/game-{board}.pdn": get("boardGame", pdn, BOARD_IN_PATH),
        "/round-{number}/games.pdn": get("roundGames", pdn, ROUND_IN_PATH),
        "/round-{number}/game-{board}.pdn": get(
            "roundBoardGame", pdn, ROUND_IN_PATH, BOARD_IN_PATH
        ),
        "/board/{board}/api/edit": {"post": edit_operation(BOARD_IN_PATH)},
        PUSH: {"post": push_operation("The number of the round that is played", ROUND, "503")},
        "/healthz": get("health", answer("The hub lives", "application/json", ref("Health"))),
    }
