"""What a folder of a Universal Dependencies release says of its treebank.

The README ends in lines for machines (`License: CC BY-SA 4.0`), LICENSE.txt has the address
of the licence, stats.xml has the sizes. Every one of them may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treegauge.catalogue.annotation import annotation_of_readme
from treegauge.catalogue.entry import PartSize
from treegauge.formats import FormatError, read_text

_CREATIVE_COMMONS = re.compile(r"creativecommons\.org/licenses/([a-z-]+)/(\d\.\d)")
_RELEASE = re.compile(r"s?ud-treebanks-v(\d+\.\d+)", re.IGNORECASE)
# Not read as XML: its comments quote the treebank's words, and a word such as `--` is not
# allowed there.
_SIZE = re.compile(
    r"<(train|dev|test)>\s*<sentences>(\d+)</sentences>\s*<tokens>(\d+)</tokens>"
    r"(?:\s*<words>(\d+)</words>)?"
)


@dataclass(frozen=True)
class FolderFacts:
    """What the files beside a treebank say."""

    licence: str = ""
    annotation: str = ""
    sizes: Mapping[str, PartSize] = field(default_factory=dict)
    notes: str = ""


def folder_facts(folder: Path) -> FolderFacts:
    """Collect what is said in a treebank's folder."""
    metadata = _metadata(_text(folder / "README.md") or _text(folder / "README.txt"))
    licence, notes = _licence(metadata.get("License", ""), _text(folder / "LICENSE.txt"))
    return FolderFacts(
        licence=licence,
        annotation=annotation_of_readme(metadata.get("Relations", "")),
        sizes=_sizes(_text(folder / "stats.xml")),
        notes=notes,
    )


def release_of_folder(folder: Path) -> str:
    """Return the release that a folder lies in, by the name of a folder above it.

    >>> release_of_folder(Path("data/ud-treebanks-v2.16/UD_English-EWT"))
    '2.16'
    """
    for name in (folder.name, *(parent.name for parent in folder.parents)):
        match = _RELEASE.fullmatch(name)
        if match:
            return match[1]
    return ""


def _metadata(readme: str) -> dict[str, str]:
    # The lines stand under a ruler, "=== Machine-readable metadata (DO NOT REMOVE!) ===".
    _, ruler, lines = readme.partition("Machine-readable metadata")
    pairs = (line.partition(":") for line in lines.splitlines() if ruler)
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def _licence(in_readme: str, licence_file: str) -> tuple[str, str]:
    """Return the licence, and a note where README and LICENSE.txt differ."""
    match = _CREATIVE_COMMONS.search(licence_file)
    in_file = f"CC {match[1].upper()} {match[2]}" if match else ""
    if in_readme and in_file and in_readme != in_file:
        return in_readme, f"LICENSE.txt says {in_file}"
    return in_readme or in_file, ""


def _sizes(stats: str) -> dict[str, PartSize]:
    # Where no token is divided into words, there is no element for words.
    return {
        part: PartSize(int(sentences), int(words or tokens))
        for part, sentences, tokens, words in _SIZE.findall(stats)
    }


def _text(path: Path) -> str:
    """Return the text of a file beside a treebank; nothing where it is of no use."""
    try:
        return read_text(path)
    except FormatError:
        return ""
