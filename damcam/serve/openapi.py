"""The OpenAPI description of what programs may read."""

import json
from functools import cache
from typing import Any, Final

from .texts import DISPUTES

JsonSchema = dict[str, Any]

INTEGER: Final[JsonSchema] = {"type": "integer"}
TEXT: Final[JsonSchema] = {"type": "string"}
BOOLEAN: Final[JsonSchema] = {"type": "boolean"}
COLOR: Final[JsonSchema] = {"type": "string", "enum": ["white", "black"]}
ANY_COLOR: Final[JsonSchema] = {"type": ["string", "null"], "enum": ["white", "black", None]}
ANY_TEXT: Final[JsonSchema] = {"type": ["string", "null"]}
SQUARES: Final[JsonSchema] = {"type": "array", "items": {"type": "integer", "minimum": 1}}
RESULTS: Final = ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0"]
KIND: Final[JsonSchema] = {"type": "string", "enum": list(DISPUTES)}
STATUS: Final[JsonSchema] = {
    "type": "string",
    "enum": ["open", "rectified", "accepted", "decided"],
}
TAGS: Final[JsonSchema] = {"type": "object", "additionalProperties": TEXT}
TEXTS: Final[JsonSchema] = {"type": "array", "items": TEXT}


DESCRIPTIONS: Final = {
    "304": "The client has it already",
    "400": "A parameter or the body cannot be used",
    "401": "There is no token, or a wrong one",
    "403": "The token may not do this",
    "404": "There is nothing of this name",
    "413": "The body is too large",
    "429": "Too many wrong tokens or requests",
}


def _object(**properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(of: str) -> JsonSchema:
    return {"type": "array", "items": _ref(of)}


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/components/schemas/{name}"}


def _clocks_or_nothing() -> JsonSchema:
    return {"anyOf": [_ref("Clocks"), {"type": "null"}]}


def schemas() -> dict[str, JsonSchema]:
    """Return the JSON schema of each object by its name."""
    return _game_schemas() | _service_schemas()


def _game_schemas() -> dict[str, JsonSchema]:
    return {
        "Game": _object(
            v={"const": 1},
            seq=INTEGER,
            at_ms=INTEGER,
            tags=TAGS,
            variant=ANY_TEXT,
            start_fen=ANY_TEXT,
            fen=ANY_TEXT,
            moves=_list("Move"),
            setups=_list("Setup"),
            clocks=_clocks_or_nothing(),
            flags=_list("Flag"),
            disputes=_list("Dispute"),
            result={"type": "string", "enum": RESULTS},
            reason=ANY_TEXT,
            board={"type": "string", "enum": ["unseen", "found", "lost", "disturbed"]},
            lost_devices=TEXTS,
            is_over=BOOLEAN,
        ),
        "Move": _object(
            ply=INTEGER,
            color=COLOR,
            move=TEXT,
            path=SQUARES,
            captured=SQUARES,
            crowned=BOOLEAN,
            fen=TEXT,
            at_ms=INTEGER,
            confidence={"type": "number", "minimum": 0, "maximum": 1},
            clocks=_clocks_or_nothing(),
            replaced=TEXTS,
        ),
        "Setup": _object(at_ms=INTEGER, after_ply=INTEGER, fen=TEXT),
        "Clocks": _object(at_ms=INTEGER, white_ms=INTEGER, black_ms=INTEGER, running=ANY_COLOR),
        "Flag": _object(
            seq=INTEGER,
            at_ms=INTEGER,
            ply=INTEGER,
            clause=TEXT,
            color=COLOR,
            move=TEXT,
            squares=SQUARES,
            certain=BOOLEAN,
            text=TEXT,
            status=STATUS,
        ),
        "Dispute": _object(seq=INTEGER, ply=INTEGER, kind=KIND, color=COLOR, text=TEXT),
    }


def _service_schemas() -> dict[str, JsonSchema]:
    return {
        "Push": _object(
            games={
                "type": "array",
                "items": {
                    "anyOf": [
                        _object(tags=TAGS, moves=INTEGER),
                        _object(tags=TAGS, error=TEXT),
                    ]
                },
            }
        ),
        "Refusal": _object(error=TEXT),
        "Health": _object(
            status={"type": "string", "enum": ["ok", "hangs"]}, seq=INTEGER, board=TEXT
        ),
        "Ready": _object(ready=BOOLEAN, troubles=TEXTS),
    }


def _answer(text: str, media_type: str, schema: JsonSchema, *others: str) -> JsonSchema:
    content = {media_type: {"schema": schema}}
    answers: JsonSchema = {"200": {"description": text, "content": content}}
    refusal = {"application/json": {"schema": _ref("Refusal")}}
    for code in others:
        answers[code] = {"description": DESCRIPTIONS[code]}
        if code != "304":
            answers[code]["content"] = refusal
    return answers


def _parameter(name: str, text: str, schema: JsonSchema, *, place: str = "query") -> JsonSchema:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": text,
        "schema": schema,
    }


def _paths() -> dict[str, JsonSchema]:
    after = _parameter(
        "after",
        "Send the events after this number; Last-Event-ID overrules it",
        {"type": "integer", "minimum": 0},
    )
    board = {"type": "integer", "minimum": 1, "maximum": 64}
    number = _parameter("number", "The board in the round", board, place="path")
    pdn = "PDN, settled moves only"
    events = _answer(
        "One event of the journal in each `data:`, its `seq` as `id:`; what an engine thinks comes "
        "as events named `evaluation`",
        "text/event-stream",
        TEXT,
    )
    game = _answer("The game as it is", "application/json", _ref("Game"), "304")
    health = _answer("The server lives", "application/json", _ref("Health"))
    return {
        "/api/game": {"get": {"operationId": "game", "responses": game}},
        "/api/events": {
            "get": {"operationId": "events", "parameters": [after], "responses": events}
        },
        "/games.pdn": {
            "get": {"operationId": "games", "responses": _answer(pdn, "text/plain", TEXT, "304")}
        },
        "/game-{number}.pdn": {
            "get": {
                "operationId": "board",
                "parameters": [number],
                "responses": _answer(pdn, "text/plain", TEXT, "304", "404"),
            }
        },
        "/api/broadcast/round/{round_id}/push": {"post": _push()},
        "/healthz": {"get": {"operationId": "health", "responses": health}},
    }


def _push() -> JsonSchema:
    identifier = {"type": "string", "pattern": "^[A-Za-z0-9]{1,32}$"}
    return {
        "operationId": "push",
        "description": "Bring games of other boards into the round, all their moves each time",
        "security": [{"token": []}],
        "parameters": [
            _parameter("round_id", "There is one round; any id is right", identifier, place="path")
        ],
        "requestBody": {"required": False, "content": {"text/plain": {"schema": TEXT}}},
        "responses": _answer(
            "What was understood of each game",
            "application/json",
            _ref("Push"),
            *("400", "401", "403", "404", "413", "429"),
        ),
    }


@cache
def openapi_text() -> str:
    """Return the document as JSON."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "damcam", "version": "1", "license": {"name": "MIT"}},
        "paths": _paths(),
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
    return json.dumps(document, separators=(",", ":"))
