"""Where the dictionaries of an experiment come from: a folder with a manifest, files, or toys.

The manifest of a folder is JSON:

    {"pos": [{"file": "wiktionary/da.tsv.xz", "language": "da"}, ...],
     "bilingual": [{"file": "bilingual/eng-da.tsv.xz", "language": "da"}, ...]}

`pos` lists dictionaries of words and tags, `bilingual` lists of English words with their
translations. Nothing is read before it is asked for.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from treegauge.dictionaries import (
    TagDictionary,
    WordPair,
    joined,
    read_dictionary,
    read_word_list,
)
from treegauge.runs.errors import ExperimentError
from treegauge.toys import toy_dictionary, toy_word_list

MANIFEST = "manifest.json"
PREFERRED = "wiktionary"
"""The folder of the paper's own dictionaries: alone where it has the language."""
ENGLISH = "en"

Files = tuple[Path, ...]


class DictionarySources(ABC):
    """Dictionaries by treebank, or by language where there are none of the treebank's own."""

    @abstractmethod
    def has_dictionary(self, treebank: str, iso: str) -> bool:
        """Return whether there is a dictionary; reads nothing."""

    @abstractmethod
    def dictionary(self, treebank: str, iso: str) -> TagDictionary:
        """Return D."""

    @abstractmethod
    def word_list(self, treebank: str, iso: str) -> list[WordPair] | None:
        """Return pairs of an English word and its translation; None where there are none."""

    @property
    @abstractmethod
    def english(self) -> TagDictionary | None:
        """The dictionary that is translated; None where there is none."""


@dataclass(frozen=True)
class DictionaryFiles(DictionarySources):
    """Dictionaries in files.

    Attributes
    ----------
    dictionaries, word_lists : mapping from treebank or language to paths
        Several files of one are united.
    english_files : tuple of paths
        The dictionary that is translated.
    folder : path, optional
        Files in it are called by their place there, `wiktionary/da`.
    """

    dictionaries: Mapping[str, Files] = field(default_factory=dict)
    word_lists: Mapping[str, Files] = field(default_factory=dict)
    english_files: Files = ()
    folder: Path | None = None

    @classmethod
    def from_folder(
        cls, folder: str | os.PathLike[str], *, sources: Sequence[str] = ()
    ) -> DictionaryFiles:
        """Read the manifest of a folder.

        Parameters
        ----------
        sources : sequence of str
            The inner folders to take dictionaries from. If missing, all, but `wiktionary` alone
            for a language that it has: these are the paper's own.

        Raises
        ------
        ExperimentError
            If there is no manifest, or not such a one.
        """
        folder = Path(folder)
        document = _manifest(folder)
        places: dict[str, list[Path]] = {}
        for file, language in _listed(document, "pos", folder):
            if not sources or file.split("/")[0] in sources:
                places.setdefault(language, []).append(Path(file))
        if sources and not places:
            raise ExperimentError(f"{folder}: no dictionary is from {', '.join(sources)}")
        dictionaries = {
            language: tuple(folder / file for file in _preferred(files))
            for language, files in places.items()
        }
        lists: dict[str, Files] = {}
        for file, language in _listed(document, "bilingual", folder):
            lists[language] = (*lists.get(language, ()), folder / file)
        return cls(dictionaries, lists, dictionaries.get(ENGLISH, ()), folder)

    def with_files(
        self,
        dictionaries: Mapping[str, Files],
        word_lists: Mapping[str, Files],
        english: Files,
    ) -> DictionaryFiles:
        """Return these with others, which go before them."""
        return DictionaryFiles(
            {**self.dictionaries, **dictionaries},
            {**self.word_lists, **word_lists},
            english or self.english_files,
            self.folder,
        )

    def has_dictionary(self, treebank: str, iso: str) -> bool:
        """Return whether a file is named for the treebank or its language."""
        return treebank in self.dictionaries or iso in self.dictionaries

    def dictionary(self, treebank: str, iso: str) -> TagDictionary:
        """Return the union of the files."""
        files = self.dictionaries.get(treebank) or self.dictionaries.get(iso)
        if not files:
            raise ExperimentError(
                f"{treebank} has no dictionary\n  name one with --dictionary {treebank}=FILE"
            )
        return self._united(files)

    def word_list(self, treebank: str, iso: str) -> list[WordPair] | None:
        """Return the pairs of all files."""
        files = self.word_lists.get(treebank) or self.word_lists.get(iso)
        if not files:
            return None
        return [pair for file in files for pair in read_word_list(file)]

    @cached_property
    def english(self) -> TagDictionary | None:
        """The union of the English dictionaries."""
        return self._united(self.english_files) if self.english_files else None

    def _united(self, files: Files) -> TagDictionary:
        parts = [read_dictionary(file, name=self._name(file)) for file in files]
        union = joined(parts)
        name = "+".join(part.name for part in parts)
        return TagDictionary(union.forms, union.masks, name=name)

    def _name(self, file: Path) -> str:
        plain = file.with_name(file.name.partition(".")[0])
        if self.folder is None or not file.is_relative_to(self.folder):
            return plain.name
        return plain.relative_to(self.folder).as_posix()


@dataclass(frozen=True)
class ToyDictionaries(DictionarySources):
    """The dictionaries of toy languages; one of them is what English is elsewhere."""

    source: str = "toy:svo"

    def has_dictionary(self, treebank: str, iso: str) -> bool:
        """Return whether it is a toy language."""
        del iso
        return treebank.startswith("toy:")

    def dictionary(self, treebank: str, iso: str) -> TagDictionary:
        """Return every form that the grammar makes."""
        del iso
        return TagDictionary.from_mapping(toy_dictionary(treebank), name=treebank)

    def word_list(self, treebank: str, iso: str) -> list[WordPair] | None:
        """Return the translations of the source language's words."""
        del iso
        if treebank == self.source:
            return None
        return [WordPair(*pair) for pair in toy_word_list(self.source, treebank)]

    @cached_property
    def english(self) -> TagDictionary | None:
        """The dictionary of the source language."""
        return self.dictionary(self.source, "")


def _preferred(files: Sequence[Path]) -> list[Path]:
    own = [file for file in files if file.parts[0] == PREFERRED]
    return own or list(files)


def _manifest(folder: Path) -> Any:
    path = folder / MANIFEST
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ExperimentError(
            f"{folder}: no {MANIFEST} says which file is of which language\n"
            "  name files with --dictionary TREEBANK=FILE and --bilingual TREEBANK=FILE"
        ) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ExperimentError(f"{path}: cannot be read as JSON: {error}") from None


def _listed(document: Any, key: str, folder: Path) -> list[tuple[str, str]]:
    try:
        return [(str(row["file"]), str(row["language"])) for row in document[key]]
    except (KeyError, TypeError) as error:
        raise ExperimentError(
            f"{folder / MANIFEST}: expected a list {key!r} of files with their language: {error}"
        ) from None
