"""The interface for programs, described in OpenAPI 3.1: what `/api/1/openapi.json` answers.

A test compares it with the routes and with what they answer.
"""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string"}
_TIME = {"type": "string", "format": "date-time"}
_TRUTH = {"type": "boolean"}
_NUMBER = {"type": "integer"}


def _object(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _or_null(kind: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [kind, {"type": "null"}]}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


_SCORE = _object(
    {
        "value": _or_null({"type": "number"}),
        "low": _or_null({"type": "number"}),
        "high": _or_null({"type": "number"}),
        "n": _NUMBER,
        "signature": _TEXT,
    },
    "n",
    "signature",
)
_SCORES_BY_METRIC = {"type": "object", "additionalProperties": _SCORE}

SCHEMAS: dict[str, Any] = {
    "Error": _object(
        {"schema": _NUMBER, "error": _object({"status": _NUMBER, "message": _TEXT})},
    ),
    "Challenge": _object(
        {
            "schema": _NUMBER,
            "name": _TEXT,
            "title": _TEXT,
            "contact": _TEXT,
            "tracks": _list(
                _object(
                    {
                        "name": _TEXT,
                        "title": _TEXT,
                        "annotate": _list(_TEXT),
                        "metrics": _list(_TEXT),
                        "primary": _TEXT,
                    }
                )
            ),
            "phases": _list(
                _object(
                    {
                        "name": _TEXT,
                        "part": _TEXT,
                        "tracks": _list(_TEXT),
                        "opens": _TIME,
                        "closes": _TIME,
                        "ends": _TIME,
                        "scores_from": _TIME,
                        "is_open": _TRUTH,
                    }
                )
            ),
            "packs": _list(
                _object(
                    {
                        "name": _TEXT,
                        "kind": _TEXT,
                        "track": _TEXT,
                        "sha256": _TEXT,
                        "bytes": _NUMBER,
                        "path": _TEXT,
                    }
                )
            ),
        }
    ),
    "Joined": _object(
        {"schema": _NUMBER, "name": _TEXT, "team": _or_null(_TEXT), "token": _TEXT},
    ),
    "Account": _object(
        {"schema": _NUMBER, "name": _TEXT, "role": _TEXT, "team": _or_null(_TEXT)},
    ),
    "Submission": _object(
        {
            "id": _TEXT,
            "number": _NUMBER,
            "phase": _TEXT,
            "track": _TEXT,
            "part": _TEXT,
            "system": _or_null(_TEXT),
            "sha256": _TEXT,
            "bytes": _NUMBER,
            "received": _TIME,
            "state": {"type": "string", "enum": ["waiting", "accepted", "refused", "failed"]},
            "message": _TEXT,
            "findings": _TEXT,
            "is_final": _TRUTH,
            "scores_from": _TIME,
            "metrics": _list(_TEXT),
            "averaged": _list(_TEXT),
            "scores": _or_null(
                _object(
                    {
                        "average": _SCORES_BY_METRIC,
                        "treebanks": {
                            "type": "object",
                            "additionalProperties": _SCORES_BY_METRIC,
                        },
                    }
                )
            ),
        }
    ),
    "Receipt": _object(
        {
            "submission": _TEXT,
            "sha256": _TEXT,
            "received": _TIME,
            "audit": _TEXT,
        }
    ),
    "Sent": _object(
        {
            "schema": _NUMBER,
            "submission": _reference("Submission"),
            "receipt": _reference("Receipt"),
        }
    ),
    "OneSubmission": _object({"schema": _NUMBER, "submission": _reference("Submission")}),
    "Submissions": _object({"schema": _NUMBER, "submissions": _list(_reference("Submission"))}),
}


def _answers(status: int, schema: str, *errors: int) -> dict[str, Any]:
    def content(name: str) -> dict[str, Any]:
        return {"application/json": {"schema": _reference(name)}}

    answers = {str(status): {"description": "Done.", "content": content(schema)}}
    for error in errors:
        answers[str(error)] = {"description": _ERRORS[error], "content": content("Error")}
    return answers


_ERRORS = {
    400: "The request cannot be read.",
    401: "The token is missing or no longer valid.",
    403: "Not allowed, or not now; the message says why.",
    404: "It does not exist, or it belongs to another team.",
    409: "A quota is used up, or there is a conflict; the message says which.",
    413: "Too large.",
    429: "Too many attempts; Retry-After says when to try again.",
    503: "Busy; Retry-After says when to try again.",
    507: "The disk is nearly full.",
}


def _query(name: str, about: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": True, "schema": _TEXT, "description": about}


_ID = {"name": "id", "in": "path", "required": True, "schema": _TEXT}
_TOKEN: list[dict[str, list[str]]] = [{"token": []}]


PATHS: dict[str, Any] = {
    "/api/1/openapi.json": {
        "get": {
            "summary": "This document.",
            "security": [],
            "responses": {"200": {"description": "Done."}},
        }
    },
    "/api/1/challenge": {
        "get": {
            "summary": "Tracks, current phases, and released packs.",
            "security": [],
            "responses": _answers(200, "Challenge", 503),
        }
    },
    "/api/1/join": {
        "post": {
            "summary": "Redeem an invitation; the answer has a token, which is shown once.",
            "security": [],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {
                        "schema": _object({"invitation": _TEXT, "name": _TEXT}, "name")
                    }
                },
            },
            "responses": _answers(201, "Joined", 400, 403, 404, 409, 413, 429, 503),
        }
    },
    "/api/1/me": {
        "get": {
            "summary": "The owner of the token.",
            "security": _TOKEN,
            "responses": _answers(200, "Account", 401, 503),
        }
    },
    "/api/1/submissions": {
        "get": {
            "summary": "The submissions of the team, newest first.",
            "security": _TOKEN,
            "responses": _answers(200, "Submissions", 401, 403, 503),
        },
        "post": {
            "summary": "Send a zip. The same bytes are the same submission: 201 the first time, "
            "200 afterwards.",
            "security": _TOKEN,
            "parameters": [
                _query("track", "The track it is for."),
                _query("phase", "The phase it is for."),
                {
                    "name": "X-Content-SHA256",
                    "in": "header",
                    "required": False,
                    "schema": _TEXT,
                    "description": "The SHA-256 of the file. Other content is refused.",
                },
            ],
            "requestBody": {
                "required": True,
                "content": {"application/zip": {}},
            },
            "responses": {
                **_answers(201, "Sent", 400, 401, 403, 404, 409, 413, 503, 507),
                **_answers(200, "Sent"),
            },
        },
    },
    "/api/1/submissions/{id}": {
        "get": {
            "summary": "The state of a submission, and its scores once they are published.",
            "security": _TOKEN,
            "parameters": [_ID],
            "responses": _answers(200, "OneSubmission", 401, 404, 503),
        }
    },
}


def openapi_document(title: str, version: str) -> dict[str, Any]:
    """Return the description of the interface."""
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1", "description": f"treegauge {version}"},
        "paths": PATHS,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
