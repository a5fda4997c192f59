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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treegauge.dictionaries import TagDictionary, WordPair, joined, read_dictionary, read_word_list
from treegauge.formats import read_text
from treegauge.papers.paper import MisuseError
from treegauge.papers.tagger_evaluation.settings import TOYS, TaggerEvaluationSettings
from treegauge.runs.errors import ExperimentError
from treegauge.toys import toy_dictionary, toy_word_list

MANIFEST = "manifest.json"
PREFERRED = "wiktionary"
"""The folder of the paper's own dictionaries: alone where it has the language."""
ENGLISH = "en"
TOY_ENGLISH = "toy:svo"
"""What English is elsewhere, among toy languages."""

Files = tuple[Path, ...]


@dataclass(frozen=True)
class DictionarySources:
    """Dictionaries by treebank, or by language where there are none of the treebank's own.

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
    ) -> DictionarySources:
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

    def has_dictionary(self, treebank: str, iso: str) -> bool:
        """Return whether a file is named for the treebank or its language; reads nothing."""
        return treebank in self.dictionaries or iso in self.dictionaries

    def dictionary(self, treebank: str, iso: str) -> TagDictionary:
        """Return D, the union of the files."""
        files = self.dictionaries.get(treebank) or self.dictionaries.get(iso)
        if not files:
            raise ExperimentError(
                f"{treebank} has no dictionary\n  name one with --dictionary {treebank}=FILE"
            )
        return self._united(files)

    def word_list(self, treebank: str, iso: str) -> list[WordPair] | None:
        """Return pairs of an English word and its translation; None where there are none."""
        files = self.word_lists.get(treebank) or self.word_lists.get(iso)
        if not files:
            return None
        return [pair for file in files for pair in read_word_list(file)]

    @cached_property
    def english(self) -> TagDictionary | None:
        """The dictionary that is translated; None where there is none."""
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


class ToyDictionaries(DictionarySources):
    """The dictionaries of toy languages; one of them is what English is elsewhere."""

    def has_dictionary(self, treebank: str, iso: str) -> bool:  # noqa: ARG002
        """Return whether it is a toy language."""
        return treebank.startswith("toy:")

    def dictionary(self, treebank: str, iso: str) -> TagDictionary:  # noqa: ARG002
        """Return every form that the grammar makes."""
        return TagDictionary.from_mapping(toy_dictionary(treebank), name=treebank)

    def word_list(self, treebank: str, iso: str) -> list[WordPair] | None:  # noqa: ARG002
        """Return the translations of the source language's words."""
        if treebank == TOY_ENGLISH:
            return None
        return [WordPair(*pair) for pair in toy_word_list(TOY_ENGLISH, treebank)]

    @cached_property
    def english(self) -> TagDictionary | None:
        """The dictionary of the source language."""
        return self.dictionary(TOY_ENGLISH, "")


def find_dictionaries(settings: TaggerEvaluationSettings) -> DictionarySources:
    """Return the dictionaries that were chosen; files of one's own go before those of the folder.

    Raises
    ------
    MisuseError
        If none were chosen, or in a way that cannot be read.
    """
    if settings.dictionaries == TOYS:
        return ToyDictionaries()
    if not settings.dictionaries and not settings.own:
        raise MisuseError(
            "no dictionaries: give --dictionaries FOLDER, or --dictionary TREEBANK=FILE"
        )
    sources = DictionarySources()
    if settings.dictionaries:
        sources = sources.from_folder(settings.dictionaries, sources=settings.sources)
    return replace(
        sources,
        dictionaries={**sources.dictionaries, **_by_name(settings.own, "--dictionary")},
        word_lists={**sources.word_lists, **_by_name(settings.bilingual, "--bilingual")},
        english_files=tuple(map(Path, settings.english)) or sources.english_files,
    )


def frequency_files(settings: TaggerEvaluationSettings) -> dict[str, Files]:
    """Return the raw text of treebanks or languages in which words are counted."""
    return _by_name(settings.frequencies, "--frequencies")


def _by_name(texts: Sequence[str], option: str) -> dict[str, Files]:
    """Read `TREEBANK=FILE,FILE` texts."""
    files: dict[str, Files] = {}
    for text in texts:
        name, _, listed = text.partition("=")
        files[name] = tuple(Path(file.strip()) for file in listed.split(",") if file.strip())
        if not name or not files[name]:
            raise MisuseError(f"{option}: expected TREEBANK=FILE, found {text!r}")
    return files


def _preferred(files: Sequence[Path]) -> list[Path]:
    own = [file for file in files if file.parts[0] == PREFERRED]
    return own or list(files)


def _manifest(folder: Path) -> Any:
    path = folder / MANIFEST
    if not path.exists():
        raise ExperimentError(
            f"{folder}: no {MANIFEST} says which file is of which language\n"
            "  name files with --dictionary TREEBANK=FILE and --bilingual TREEBANK=FILE"
        )
    try:
        return json.loads(read_text(path, what="a manifest", error=ExperimentError))
    except (ValueError, RecursionError) as error:
        raise ExperimentError(f"{path}: cannot be read as JSON: {error}") from None


def _listed(document: Any, key: str, folder: Path) -> list[tuple[str, str]]:
    try:
        return [(str(row["file"]), str(row["language"])) for row in document[key]]
    except (KeyError, TypeError) as error:
        raise ExperimentError(
            f"{folder / MANIFEST}: expected a list {key!r} of files with their language: {error}"
        ) from None
