"""The OpenAPI description of what programs may read."""

import json
from functools import cache
from typing import Any, Final

from .operator_forms import ACTIONS
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
PUSH: Final = "/api/broadcast/round/{round_id}/push"
ROUND_ID: Final[JsonSchema] = {"type": "string", "pattern": "^[A-Za-z0-9]{1,32}$"}
TEXTS: Final[JsonSchema] = {"type": "array", "items": TEXT}


DESCRIPTIONS: Final = {
    "304": "The client has it already",
    "400": "A parameter or the body cannot be used",
    "401": "There is no token, or a wrong one",
    "403": "The token may not do this",
    "404": "There is nothing of this name",
    "409": "It does not fit the game",
    "413": "The body is too large",
    "414": "The address is too long",
    "429": "Too many wrong tokens or requests",
    "503": "It cannot reach the journal",
}


def object_of(**properties: JsonSchema) -> JsonSchema:
    """Return an object that has all these properties."""
    return {"type": "object", "required": list(properties), "properties": properties}


def list_of(of: str) -> JsonSchema:
    """Return a list of objects of a known name."""
    return {"type": "array", "items": ref(of)}


def ref(name: str) -> JsonSchema:
    """Return the place of a known schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _clocks_or_nothing() -> JsonSchema:
    return {"anyOf": [ref("Clocks"), {"type": "null"}]}


def schemas() -> dict[str, JsonSchema]:
    """Return the JSON schema of each object by its name."""
    return _game_schemas() | _service_schemas()


def _game_schemas() -> dict[str, JsonSchema]:
    return {
        "Game": object_of(
            v={"const": 1},
            seq=INTEGER,
            at_ms=INTEGER,
            tags=TAGS,
            variant=ANY_TEXT,
            start_fen=ANY_TEXT,
            fen=ANY_TEXT,
            moves=list_of("Move"),
            setups=list_of("Setup"),
            clocks=_clocks_or_nothing(),
            flags=list_of("Flag"),
            disputes=list_of("Dispute"),
            result={"type": "string", "enum": RESULTS},
            reason=ANY_TEXT,
            board={"type": "string", "enum": ["unseen", "found", "lost", "disturbed"]},
            lost_devices=TEXTS,
            is_over=BOOLEAN,
        ),
        "Move": object_of(
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
        "Setup": object_of(at_ms=INTEGER, after_ply=INTEGER, fen=TEXT),
        "Clocks": object_of(at_ms=INTEGER, white_ms=INTEGER, black_ms=INTEGER, running=ANY_COLOR),
        "Flag": object_of(
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
        "Dispute": object_of(seq=INTEGER, ply=INTEGER, kind=KIND, color=COLOR, text=TEXT),
    }


def _service_schemas() -> dict[str, JsonSchema]:
    return {
        "Push": object_of(
            games={
                "type": "array",
                "items": {
                    "anyOf": [
                        object_of(tags=TAGS, moves=INTEGER),
                        object_of(tags=TAGS, error=TEXT),
                    ]
                },
            }
        ),
        "Refusal": object_of(error=TEXT),
        "Health": object_of(
            status={"type": "string", "enum": ["ok", "hangs"]}, seq=INTEGER, board=TEXT
        ),
        "Ready": object_of(ready=BOOLEAN, troubles=TEXTS),
    }


def answer(text: str, media_type: str, schema: JsonSchema, *others: str) -> JsonSchema:
    """Return the answers of an address: a good one, and those of other codes."""
    content = {media_type: {"schema": schema}}
    answers: JsonSchema = {"200": {"description": text, "content": content}}
    refusal = {"application/json": {"schema": ref("Refusal")}}
    for code in (*others, "414"):
        answers[code] = {"description": DESCRIPTIONS[code]}
        if code != "304":
            answers[code]["content"] = refusal
    return answers


def parameter(name: str, text: str, schema: JsonSchema, *, place: str = "query") -> JsonSchema:
    """Return a parameter; one in the path is required."""
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": text,
        "schema": schema,
    }


PDN: Final = "PDN, settled moves only"
AFTER: Final = parameter(
    "after",
    "Send the events after this number; Last-Event-ID overrules it",
    {"type": "integer", "minimum": 0},
)


def get(operation: str, responses: JsonSchema, *parameters: JsonSchema) -> JsonSchema:
    """Return what an address that is read does."""
    return {
        "get": {"operationId": operation, "parameters": list(parameters), "responses": responses}
    }


def events_answer(*others: str) -> JsonSchema:
    """Return the answers of a stream of a game."""
    return answer(
        "One event of the journal in each `data:`, its `seq` as `id:`; what an engine thinks comes "
        "as events named `evaluation`, and that there is a picture of an irregularity, with its "
        "`seq`, as events named `picture`",
        *("text/event-stream", TEXT),
        *others,
    )


def changes_answer() -> JsonSchema:
    """Return the answers of a stream that tells which boards changed."""
    return answer('`{"boards": [...]}`, those that changed', "text/event-stream", TEXT)


def _paths() -> dict[str, JsonSchema]:
    board = {"type": "integer", "minimum": 1, "maximum": 64}
    number = parameter("number", "The board in the round", board, place="path")
    game = answer("The game as it is", "application/json", ref("Game"), "304")
    health = answer("The server lives", "application/json", ref("Health"))
    ready = answer("What is played is recorded", "application/json", ref("Ready"))
    ready["503"] = ready["200"] | {"description": "It is not; `troubles` say why"}
    return {
        "/api/game": get("game", game),
        "/api/events": get("events", events_answer(), AFTER),
        "/wall/events": get("changes", changes_answer()),
        "/games.pdn": get("games", answer(PDN, "text/plain", TEXT, "304")),
        "/game-{number}.pdn": get("board", answer(PDN, "text/plain", TEXT, "304", "404"), number),
        PUSH: {"post": push_operation("There is one round; any id is right", ROUND_ID)},
        "/api/edit": {"post": edit_operation()},
        "/healthz": get("health", health),
        "/readyz": get("ready", ready),
        "/metrics": get("metrics", answer("Prometheus", "text/plain", TEXT)),
    }


def edit_operation(*parameters: JsonSchema) -> JsonSchema:
    """Return what a correction takes and how it is answered."""
    form = {"type": "object", "required": ["action"], "additionalProperties": TEXT}
    form["properties"] = {"action": {"type": "string", "enum": list(ACTIONS)}, "why": TEXT}
    content = {"application/x-www-form-urlencoded": {"schema": form}}
    edited = object_of(recorded=BOOLEAN, seq=INTEGER, fen=ANY_TEXT)
    responses = answer(
        "It is in the journal",
        *("application/json", edited),
        *("401", "403", "404", "409", "413", "429", "503"),
    )
    responses["202"] = responses["200"] | {"description": "It is handed on, not recorded yet"}
    return {
        "operationId": "edit",
        "description": "Correct the game: the fields of a form of the operator's desk",
        "security": [{"token": []}],
        "parameters": list(parameters),
        "requestBody": {"required": True, "content": content},
        "responses": responses,
    }


def push_operation(which: str, identifier: JsonSchema, *others: str) -> JsonSchema:
    """Return what a push takes and how it is answered; `which` tells of the round's id."""
    return {
        "operationId": "push",
        "description": "Bring games of other boards into the round, all their moves each time",
        "security": [{"token": []}],
        "parameters": [parameter("round_id", which, identifier, place="path")],
        "requestBody": {"required": False, "content": {"text/plain": {"schema": TEXT}}},
        "responses": answer(
            "What was understood of each game",
            "application/json",
            ref("Push"),
            *("400", "401", "403", "404", "413", "429"),
            *others,
        ),
    }


@cache
def openapi_text() -> str:
    """Return the description of a machine with one board, as JSON."""
    return document(_paths(), schemas())


def document(paths: dict[str, JsonSchema], known: dict[str, JsonSchema]) -> str:
    """Return a description as JSON."""
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "damcam", "version": "1", "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": known,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
    return json.dumps(whole, separators=(",", ":"))
