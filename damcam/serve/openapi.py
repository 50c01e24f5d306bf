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
TEXTS: Final[JsonSchema] = {"type": "array", "items": TEXT}


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
    return {
        "Game": _object(
            v={"const": 1},
            seq=INTEGER,
            at_ms=INTEGER,
            tags={"type": "object", "additionalProperties": TEXT},
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
        "Health": _object(
            status={"type": "string", "enum": ["ok", "hangs"]}, seq=INTEGER, board=TEXT
        ),
        "Ready": _object(ready=BOOLEAN, troubles=TEXTS),
    }


def _answer(text: str, media_type: str, schema: JsonSchema, *others: str) -> JsonSchema:
    content = {media_type: {"schema": schema}}
    answers: JsonSchema = {"200": {"description": text, "content": content}}
    descriptions = {"304": "The client has it already", "400": "A parameter cannot be used"}
    descriptions |= {"503": "Not now; the text says why"}
    return answers | {code: {"description": descriptions[code]} for code in others}


def _paths() -> dict[str, JsonSchema]:
    after = {
        "name": "after",
        "in": "query",
        "description": "Send the events after this number; Last-Event-ID overrules it",
        "schema": {"type": "integer", "minimum": 0},
    }
    pdn = _answer("PDN, settled moves only", "text/plain", TEXT, "304")
    events = _answer(
        "One event of the journal in each `data:`, its `seq` as `id:`", "text/event-stream", TEXT
    )
    game = _answer("The game as it is", "application/json", _ref("Game"), "304")
    health = _answer("The server lives", "application/json", _ref("Health"), "503")
    ready = _answer("Moves are recorded", "application/json", _ref("Ready"), "503")
    metrics = _answer("The text form of Prometheus", "text/plain", TEXT)
    return {
        "/api/game": {"get": {"operationId": "game", "responses": game}},
        "/api/events": {
            "get": {"operationId": "events", "parameters": [after], "responses": events}
        },
        "/games.pdn": {"get": {"operationId": "games", "responses": pdn}},
        "/game-1.pdn": {"get": {"operationId": "game_1", "responses": pdn}},
        "/healthz": {"get": {"operationId": "health", "responses": health}},
        "/readyz": {"get": {"operationId": "ready", "responses": ready}},
        "/metrics": {"get": {"operationId": "metrics", "responses": metrics}},
    }


@cache
def openapi_text() -> str:
    """Return the document as JSON."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "damcam", "version": "1", "license": {"name": "MIT"}},
        "paths": _paths(),
        "components": {"schemas": schemas()},
    }
    return json.dumps(document, separators=(",", ":"))
