"""Schemas of the JSON that commands print, read off the outputs that tests hold them to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from treegauge.metrics import METRICS
from treegauge.toys import TOY_LANGUAGES
from treegauge.wording import counted

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_BY_CASE = ("challenge", "list", "data", "dictionary", "reproduce")
"""Commands whose cases have shapes of their own."""
_AS_TYPED = {
    "nothing": "list",
    "fingerprints": "list --fingerprints",
    "curve-size": "curve",
    "curve-corruption": "curve --kind corruption",
    "curve-held-out": "curve --kind held-out",
    "rank-of-records": "rank --records",
    "organiser-add": "organiser add",
    "team-add": "team add",
    "team-invite": "team invite",
}
"""Cases whose names are not what one types."""
_TOYS = {name.partition(":")[2] for name in TOY_LANGUAGES}
"""Names of treebanks in the tested outputs; they look like fields."""

_VARIANT = re.compile("-(?:quick|small|penn|published|calibrated|flawed)$")
"""What cases are called by that print the same kind of object."""


def schema_of(values: Sequence[Any]) -> dict[str, Any]:
    """Return the narrowest schema that all values keep to.

    >>> schema_of([{"a": 1}, {"a": None, "b": ["x"]}])["required"]
    ['a']
    >>> schema_of([1, 2.5]), schema_of([{}])
    ({'type': 'number'}, {'type': 'object'})
    """
    types = sorted({_type(value) for value in values})
    if "number" in types and "integer" in types:
        types.remove("integer")
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        schema |= _object_schema(objects)
    items = [item for value in values if isinstance(value, list) for item in value]
    if items:
        schema["items"] = schema_of(items)
    return schema


def _object_schema(objects: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = dict.fromkeys(name for one in objects for name in one)
    if not names:
        return {}
    is_data = names.keys() <= METRICS.keys() or names.keys() <= _TOYS
    if is_data or not all(map(_is_field, names)):
        return {"additionalProperties": schema_of([v for one in objects for v in one.values()])}
    return _fields_schema(objects)


def _fields_schema(objects: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = dict.fromkeys(name for one in objects for name in one)
    properties = {name: schema_of([one[name] for one in objects if name in one]) for name in names}
    required = [name for name in names if all(name in one for one in objects)]
    return {"properties": properties, "required": required}


def _is_field(name: str) -> bool:
    """Tell a field from a name that is data, such as that of a treebank or of a file."""
    return name.replace("_", "").isalpha() and name.islower()


def _type(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    masked = {"<seconds>": "number", "<bytes>": "integer"}  # golden files hide what was measured
    if isinstance(value, str) and value in masked:
        return masked[value]
    return "null" if value is None else names.get(type(value), "object")


def schemas(golden: Path) -> dict[str, dict[str, Any]]:
    """Return the schema of every command whose outputs are frozen in a folder."""
    by_command: dict[str, list[Any]] = {}
    for path in sorted(golden.rglob("*.json")):
        name, *cases = path.relative_to(golden).with_suffix("").parts
        if name in _BY_CASE:
            case = _VARIANT.sub("", cases[0])
            name = f"{name} {_AS_TYPED.get(case, case)}"
        by_command.setdefault(name, []).append(json.loads(path.read_text(encoding="utf-8")))
    return {
        name: {"$schema": _DRAFT, "title": f"treegauge {name} --json", "type": "object"}
        | _fields_schema(outputs)
        for name, outputs in by_command.items()
    }


def commands_with_json() -> list[str]:
    """Return every command that has `--json`, in the order of `treegauge --help`."""
    from treegauge.cli.main import VERBS, app

    program = typer.main.get_command(app)
    found = (_with_json(name, program.get_command(None, name)) for name in VERBS)
    return [name for names in found for name in names]


def _with_json(name: str, command: Any) -> Iterator[str]:
    if hasattr(command, "list_commands"):
        for own in command.list_commands(None):
            yield from _with_json(f"{name} {own}", command.get_command(None, own))
    elif any("--json" in parameter.opts for parameter in command.params):
        yield name


def without_schema(names: Iterable[str]) -> list[str]:
    """Return the commands with `--json` that none of the names of schemas begins with."""
    known = [f"{name} " for name in names]
    return [one for one in commands_with_json() if not any(k.startswith(f"{one} ") for k in known)]


def schema_file(name: str) -> str:
    """Return what the file of a command's schema is called.

    >>> schema_file("dictionary rank --records")
    'dictionary-rank-records.schema.json'
    """
    return re.sub(r"\W+", "-", name) + ".schema.json"


def json_page(schemas_by_command: dict[str, dict[str, Any]]) -> str:
    """Return the page that says what each command prints, with links to the schemas."""
    lines = [
        "# JSON\n\nThis page lists what `--json` prints, per command. Every output is one object; "
        "`schema` is the version of its format. The files are JSON Schema (2020-12). They are "
        "derived from tested outputs, so a field that only some options add may be missing "
        "here. Select a line to see the fields.\n\n"
    ]
    others = ", ".join(f"`{name}`" for name in without_schema(schemas_by_command))
    lines.append(
        f"These commands have `--json`, and no schema: {others}. They need a network or a server, "
        "or their output depends on the machine.\n\n"
    )
    for name, schema in schemas_by_command.items():
        outline = _outline(schema)
        file = f"schemas/{schema_file(name)}"
        lines.append(f"## {name}\n\n[Schema]({file}){{ download }}\n\n")
        lines.append('<details class="table" markdown="1">\n')
        lines.append(f"<summary>{counted(len(outline), 'field')}</summary>\n\n```text\n")
        lines += [f"{line}\n" for line in outline]
        lines.append("```\n\n</details>\n\n")
    return "".join(lines)


def _outline(schema: dict[str, Any], depth: int = 0) -> list[str]:
    """Return an object's fields, one per line, those of objects inside further to the right."""
    lines = []
    required = schema.get("required", [])
    for name, field in schema.get("properties", {}).items():
        kind = field["type"] if isinstance(field["type"], str) else " or ".join(field["type"])
        inner = field
        while "items" in inner and "properties" not in inner:
            inner = inner["items"]
            kind = f"{kind} of {_kind(inner)}"
        if "additionalProperties" in inner:
            inner = inner["additionalProperties"]
            kind = f"{kind} by name, of {_kind(inner)}"
        lines.append(f"{'  ' * depth}{name}: {kind}{'' if name in required else ' (optional)'}")
        if depth < 2:
            lines += _outline(inner, depth + 1)
    return lines


def _kind(schema: dict[str, Any]) -> str:
    kind = schema["type"]
    return kind if isinstance(kind, str) else " or ".join(kind)
