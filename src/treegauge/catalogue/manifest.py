"""Manifests: a `manifest.json` beside folders of treebanks that says what they are.

An object whose member `treebanks` is a list of objects. Each has a `name`, that of its
folder; `language`, `iso`, `source`, `version`, `licence`, `annotation`, `notes` and `splits`
(part -> `sentences`, `tokens`) may be there. Members that we do not know are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treegauge.catalogue.entry import ANNOTATIONS, PartSize
from treegauge.catalogue.errors import CatalogueError
from treegauge.formats import read_text

MANIFEST = "manifest.json"
"""What the file is called."""

_TEXTS = ("language", "iso", "source", "version", "licence", "annotation", "notes")


@dataclass(frozen=True)
class ManifestRecord:
    """What a manifest says of one treebank."""

    name: str
    texts: Mapping[str, str]
    sizes: Mapping[str, PartSize]


def read_manifest(path: Path) -> dict[str, ManifestRecord]:
    """Read a manifest: a record for every name.

    Raises
    ------
    CatalogueError
        If it is not what a manifest should be; the message says where.
    """
    try:
        content = json.loads(read_text(path, what="a manifest", error=CatalogueError))
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}: [manifest] not JSON: {error.msg.lower()}"
        raise CatalogueError(f"{place}\n  correct the line, or move the file away") from None
    except (ValueError, RecursionError) as error:  # numbers and brackets without an end
        raise _broken(path, "", "JSON", str(error)) from None
    if not isinstance(content, dict) or not isinstance(content.get("treebanks"), list):
        raise _broken(path, "", "an object with a list `treebanks`", _shown(content))
    records: dict[str, ManifestRecord] = {}
    for number, member in enumerate(content["treebanks"], start=1):
        record = _record(path, number, member)
        if record.name in records:
            raise _broken(path, f"treebank {number}", "a new name", f"{record.name} twice")
        records[record.name] = record
    return records


def _record(path: Path, number: int, member: Any) -> ManifestRecord:
    place = f"treebank {number}"
    if not isinstance(member, dict):
        raise _broken(path, place, "an object", _shown(member))
    name = member.get("name")
    # The name is a folder's: it must not lead out of the folder that the manifest is in.
    if not isinstance(name, str) or not name or name in (".", "..") or set(name) & set("/\\:"):
        raise _broken(path, place, "a `name` that can be a folder's", _shown(name))
    place = f"treebank {name}"
    for key in _TEXTS:
        if not isinstance(member.get(key, ""), str):
            raise _broken(path, place, f"text for `{key}`", _shown(member[key]))
    texts = {key: member.get(key, "") for key in _TEXTS}
    if texts["annotation"] and texts["annotation"] not in ANNOTATIONS:
        expected = f"one of {', '.join(ANNOTATIONS)} for `annotation`"
        raise _broken(path, place, expected, _shown(texts["annotation"]))
    return ManifestRecord(name, texts, _sizes(path, place, member.get("splits", {})))


def _sizes(path: Path, place: str, splits: Any) -> dict[str, PartSize]:
    if not isinstance(splits, dict):
        raise _broken(path, place, "an object for `splits`", _shown(splits))
    sizes = {}
    for part, counts in splits.items():
        if not isinstance(counts, dict):
            raise _broken(path, place, f"an object for `splits.{part}`", _shown(counts))
        if not {"sentences", "tokens"} <= set(counts):
            continue
        for key in ("sentences", "tokens"):
            # A bool is an int in Python, and no count.
            if type(counts[key]) is not int or counts[key] < 0:
                expected = f"a whole number for `splits.{part}.{key}`"
                raise _broken(path, place, expected, _shown(counts[key]))
        sizes[part] = PartSize(counts["sentences"], counts["tokens"])
    return sizes


def _broken(path: Path, place: str, expected: str, found: str) -> CatalogueError:
    where = f"{place}: " if place else ""
    return CatalogueError(
        f"{path}: [manifest] {where}expected {expected}, found {found}\n"
        "  correct the manifest, or move it away, so that the folders are found without it"
    )


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."
