"""The catalogue: from what a user types to treebanks."""

from __future__ import annotations

import glob
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from treegauge.catalogue.entry import CatalogueEntry
from treegauge.catalogue.errors import CatalogueError
from treegauge.catalogue.generated import toy_entry
from treegauge.catalogue.memory import memory_entry
from treegauge.catalogue.names import Reference, name_key, short_name, split_part
from treegauge.catalogue.namesakes import real_files, set_or_treebank, which_one
from treegauge.catalogue.paths import entries_of_path, entries_of_pattern, is_path
from treegauge.catalogue.scanning import Scan, scan
from treegauge.catalogue.sets import BUILT_IN_SETS, read_sets
from treegauge.formats import Findings, format_of_name
from treegauge.settings import find_settings_file
from treegauge.toys.names import TOY_LANGUAGES, TOY_PREFIX
from treegauge.treebank import Treebank
from treegauge.treebank.parts import PARTS, WHOLE
from treegauge.wording import counted, did_you_mean

DATA_VARIABLE = "TREEGAUGE_DATA"
"""The environment variable that names data folders."""


@dataclass(frozen=True)
class Selection:
    """A part of a treebank, ready to be read.

    Attributes
    ----------
    entry : CatalogueEntry
        The treebank.
    part : str
        The part.

    Examples
    --------
    >>> (test,) = Catalogue().select("toy:svo:test")
    >>> test.name, test.part, test.read().n_sentences
    ('toy:svo', 'test', 1503)
    """

    entry: CatalogueEntry
    part: str

    @property
    def name(self) -> str:
        """The name of the treebank."""
        return self.entry.name

    def read(
        self,
        *,
        strict: bool = False,
        findings: list[Findings] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Treebank:
        """Read the part.

        Parameters
        ----------
        strict, on_progress
            As for `treegauge.read`.
        findings : list of Findings, optional
            The findings of every file are added to it.

        Returns
        -------
        Treebank
            With the name of the entry.
        """
        return self.entry.read(self.part, strict=strict, findings=findings, on_progress=on_progress)


class Catalogue:
    """Finds treebanks by name, path, pattern or set.

    Data folders are searched when a name is used for the first time. Paths and toy languages
    need no data folder.

    Parameters
    ----------
    data : paths
        Folders to search, or single files.
    sets : mapping from name to names, optional
        Sets of treebanks, in addition to the built-in ones.
    treebanks : mapping from name to parts, optional
        Treebanks in memory, each a mapping from part to `Treebank`. Their names come first.

    Examples
    --------
    >>> catalogue = Catalogue()
    >>> [entry.name for entry in catalogue.resolve("toy:svo")]
    ['toy:svo']
    >>> catalogue.open("toy:svo:dev").n_sentences > 0
    True
    >>> [one.part for one in catalogue.select("toy:svo")]
    ['test']
    >>> [one.part for one in catalogue.parts("toy:svo")]
    ['train', 'dev', 'test']
    """

    def __init__(
        self,
        data: Iterable[str | os.PathLike[str]] = (),
        *,
        sets: Mapping[str, Sequence[str]] | None = None,
        treebanks: Mapping[str, Mapping[str, Treebank]] | None = None,
    ) -> None:
        places = [Path(place).expanduser() for place in data]
        # The same folder given twice, `x` and `./x`, is one folder.
        first = {place.resolve(): place for place in reversed(places)}
        self.data = tuple(place for place in places if first.pop(place.resolve(), None))
        self.sets: Mapping[str, Sequence[str]] = {**BUILT_IN_SETS, **(sets or {})}
        at_hand = (treebanks or {}).items()
        self._in_memory = {name: memory_entry(name, parts) for name, parts in at_hand}

    def with_treebanks(
        self,
        treebanks: Mapping[str, Mapping[str, Treebank]],
        *,
        like: Mapping[str, CatalogueEntry] = MappingProxyType({}),
    ) -> Catalogue:
        """Return a catalogue in which some names stand for treebanks in memory.

        Parameters
        ----------
        treebanks : mapping from name to parts
            What the names stand for, whether or not there were treebanks of these names.
        like : mapping from name to CatalogueEntry
            Entries to take language, licence and so on from.

        Returns
        -------
        Catalogue
            It finds everything else as before.

        Examples
        --------
        >>> from treegauge import toy_treebank
        >>> entries = {entry.name: entry for entry in Catalogue().resolve("toy:svo")}
        >>> short = {"toy:svo": {"test": toy_treebank(tokens=100)}}
        >>> Catalogue().with_treebanks(short, like=entries).open("toy:svo").n_words
        119
        """
        other = copy(self)
        other._in_memory = dict(self._in_memory)
        for name, parts in treebanks.items():
            other._in_memory[name] = memory_entry(name, parts, like=like.get(name))
        return other

    @classmethod
    def from_environment(
        cls,
        extra_dirs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
        *,
        sets_file: str | os.PathLike[str] | None = None,
    ) -> Catalogue:
        """Return the catalogue that the command line uses.

        Parameters
        ----------
        extra_dirs : path or paths
            Data folders (option `--data`), in addition to those in `TREEGAUGE_DATA`. If there are
            none, the default data folder is searched.
        sets_file : path, optional
            A TOML file of sets. Default: the nearest `treegauge.toml`, in the current folder or
            above it.

        Returns
        -------
        Catalogue
            The catalogue.

        Raises
        ------
        CatalogueError
            If the file of sets cannot be read.

        Examples
        --------
        >>> Catalogue.from_environment().open("toy:svo").name
        'toy:svo'
        """
        named = os.environ.get(DATA_VARIABLE, "").split(os.pathsep)
        given = [extra_dirs] if isinstance(extra_dirs, (str, os.PathLike)) else extra_dirs
        data = [*given, *filter(None, named)]
        if not data and default_data_folder().is_dir():
            data = [default_data_folder()]
        sets_file = sets_file or find_settings_file()
        return cls(data, sets=None if sets_file is None else read_sets(Path(sets_file)))

    # ------------------------------------------------------------------ what there is

    @cached_property
    def _scans(self) -> list[tuple[Path, Scan]]:
        return [(place, scan(place)) for place in self.data]

    @cached_property
    def entries(self) -> tuple[CatalogueEntry, ...]:
        """All treebanks in the data folders, sorted by name."""
        entry_of_files = {
            (entry.name, *real_files(entry)): entry
            for _, scanned in reversed(self._scans)
            for entry in scanned.entries
        }
        return tuple(
            sorted(entry_of_files.values(), key=lambda entry: (entry.name, str(entry.folder)))
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What looked like a treebank and was skipped, one sentence each."""
        return tuple(dict.fromkeys(r for _, scanned in self._scans for r in scanned.remarks))

    @cached_property
    def _by_key(self) -> dict[str, list[CatalogueEntry]]:
        index: dict[str, list[CatalogueEntry]] = defaultdict(list)
        for entry in self.entries:
            bare = [alias.removeprefix("UD_") for alias in entry.aliases]
            for key in {name_key(name) for name in (entry.name, *entry.aliases, *bare)}:
                index[key].append(entry)
        return index

    # ------------------------------------------------------------------ finding

    def resolve(self, text: str) -> list[CatalogueEntry]:
        """Return the treebanks that a text names, in the order named, each once.

        Parameters
        ----------
        text : str
            A name (`en_ewt`, `UD_English-EWT`, `en_ewt@2.16` for one of several releases), a path
            of a file or a folder, a pattern of names or paths (`en_*`), a set (`pascal10`), a toy
            language (`toy:svo`), or `-` for standard input. A part may follow (`en_ewt:dev`); see
            `select`.

        Returns
        -------
        list of CatalogueEntry
            At least one.

        Raises
        ------
        CatalogueError
            If there is no such treebank, or more than one of that name.
        """
        return list(dict.fromkeys(entry for entry, _ in self._find(text, ())))

    def select(self, text: str, part: str | None = None) -> list[Selection]:
        """Return the parts of treebanks that a text names.

        Parameters
        ----------
        text : str
            As for `resolve`.
        part : "train", "dev" or "test", optional
            The part, unless the text names one. Default: test, or the whole of a single file.

        Returns
        -------
        list of Selection
            One per treebank, with `name`, `part` and `read()`.

        Raises
        ------
        CatalogueError
            If there is no such treebank or no such part.
        """
        chosen = []
        for entry, own_part in self._find(text, ()):
            selection = Selection(entry, own_part or part or entry.default_part)
            entry.files(selection.part)
            chosen.append(selection)
        return list(dict.fromkeys(chosen))

    def parts(self, text: str) -> list[Selection]:
        """Return the part that a text names, or all parts if it names none.

        Parameters
        ----------
        text : str
            As for `resolve`.

        Returns
        -------
        list of Selection
            With `name`, `part` and `read()`.

        Raises
        ------
        CatalogueError
            If there is no such treebank or no such part.
        """
        chosen = []
        for entry, own_part in self._find(text, ()):
            for part in [own_part] if own_part else entry.parts:
                entry.files(part)
                chosen.append(Selection(entry, part))
        return list(dict.fromkeys(chosen))

    def open(
        self,
        text: str,
        part: str | None = None,
        *,
        strict: bool = False,
        findings: list[Findings] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Treebank:
        """Read the one treebank that a text names.

        Parameters
        ----------
        text, part : str
            As for `select`.
        strict, on_progress
            As for `treegauge.read`.
        findings : list, optional
            The findings about every file are appended to it.

        Returns
        -------
        Treebank
            The treebank.

        Raises
        ------
        CatalogueError
            If there is no such treebank, or the text names several.
        FormatError
            If a file cannot be used.
        """
        chosen = self.select(text, part)
        if len(chosen) != 1:
            names = ", ".join(selection.name for selection in chosen[:10])
            more = ", …" * (len(chosen) > 10)
            raise CatalogueError(
                f"[one-treebank] expected one treebank, found {len(chosen)} in {text!r}\n"
                f"  name one of {names}{more}"
            )
        return chosen[0].read(strict=strict, findings=findings, on_progress=on_progress)

    def _find(
        self, text: str, sets_above: tuple[str, ...]
    ) -> list[tuple[CatalogueEntry, str | None]]:
        """Return entries, each with the part that the text (or a set's member) asks for."""
        if not text:
            raise CatalogueError("[no-name] expected the name or the path of a treebank, found ''")
        if text == "-":
            return [(CatalogueEntry("stdin", Path(), {WHOLE: (Path("-"),)}), None)]
        bare, part = split_part(text)
        if text in self._in_memory:
            return [(self._in_memory[text], None)]
        if bare in self._in_memory:
            return [(self._in_memory[bare], part)]
        if bare.startswith(TOY_PREFIX):
            return [(toy_entry(bare), part)]
        if is_path(text):
            return [(entry, None) for entry in entries_of_path(text)]
        if is_path(bare):
            return [(entry, part) for entry in entries_of_path(bare)]
        if not glob.has_magic(bare) and (os.sep in bare or format_of_name(bare)):
            raise CatalogueError(f"{bare}: cannot be read: no such file or folder")
        if bare in self.sets:
            namesakes = self._by_key.get(name_key(bare))
            if namesakes:
                raise set_or_treebank(bare, namesakes[0])
            return self._members(bare, part, sets_above)
        return [(entry, part) for entry in self._named(bare) or self._matching(bare)]

    def _named(self, name: str) -> list[CatalogueEntry]:
        """Return the one treebank of a name, or none."""
        reference = Reference.parse(name)
        namesakes = self._by_key.get(name_key(reference.name), [])
        if not namesakes:
            # A long name can be asked for where only the short one is written down.
            short = short_name(reference.name) or short_name(f"UD_{reference.name}")
            namesakes = self._by_key.get(short or "", [])
        if reference.release:
            namesakes = [entry for entry in namesakes if entry.release == reference.release]
        if Path(name).is_dir():
            return self._named_and_local(name, namesakes)
        if len(namesakes) > 1:
            raise which_one(name, namesakes)
        return namesakes

    def _named_and_local(self, name: str, namesakes: list[CatalogueEntry]) -> list[CatalogueEntry]:
        """Return what a name means where a folder in the current one is called the same."""
        if not namesakes:
            return entries_of_path(name)
        known = {real_files(entry) for entry in namesakes}
        others = [entry for entry in scan(name).entries if real_files(entry) not in known]
        if len(namesakes) + len(others) > 1:
            raise which_one(name, [*namesakes, *others])
        return namesakes

    def _matching(self, pattern: str) -> list[CatalogueEntry]:
        """Return the treebanks that a pattern of names, or else of paths, matches."""
        if not glob.has_magic(pattern):
            raise self._unknown(pattern)
        if os.sep in pattern and (by_path := entries_of_pattern(pattern)):
            return by_path
        key = name_key(pattern)
        names = dict.fromkeys(
            entry.name
            for entry in self.entries
            if any(fnmatchcase(name_key(name), key) for name in (entry.name, *entry.aliases))
        )
        entries = [entry for name in names for entry in self._named(name)]
        entries = entries or entries_of_pattern(pattern)
        if not entries:
            raise CatalogueError(
                f"no treebank's name and no path matches {pattern!r}\n  {self._searched()}"
            )
        return entries

    def _members(
        self, name: str, part: str | None, sets_above: tuple[str, ...]
    ) -> list[tuple[CatalogueEntry, str | None]]:
        if name in sets_above:
            circle = " -> ".join([*sets_above[sets_above.index(name) :], name])
            raise CatalogueError(f"[sets] the set {name} contains itself: {circle}")
        entries: list[tuple[CatalogueEntry, str | None]] = []
        missing = []
        for member in self.sets[name]:
            inner = split_part(member)[0] in self.sets
            try:
                members = self._find(member, (*sets_above, name))
            except CatalogueError as error:
                # Collected, so that one look shows everything that has to be had; what a set
                # inside this one lacks is a message of its own.
                if inner:
                    raise
                missing.append(str(error).splitlines()[0])
                continue
            entries += [(entry, own_part or part) for entry, own_part in members]
        if missing:
            lines = "\n".join(f"  {line}" for line in missing)
            all_members = counted(len(self.sets[name]), "member")
            raise CatalogueError(
                f"{name}: {len(missing)} of {all_members} are not available\n"
                f"{lines}\n  {self._searched()}"
            )
        return entries

    # ------------------------------------------------------------------ messages

    def _unknown(self, name: str) -> CatalogueError:
        before, colon, last = name.rpartition(":")
        if colon and self._by_key.get(name_key(before)):
            return CatalogueError(
                f"{name}: [part] expected {', '.join(PARTS)} after the colon, found {last!r}"
            )
        reference = Reference.parse(name)
        releases = [entry.release for entry in self._by_key.get(name_key(reference.name), [])]
        if reference.release and releases:
            return CatalogueError(
                f"{name}: [release] there is no {reference.name} of release {reference.release}\n"
                f"  found: {', '.join(release or 'one of unknown release' for release in releases)}"
            )
        known = [name for entry in self.entries for name in (entry.name, *entry.aliases)]
        hint = did_you_mean(reference.name, [*known, *self.sets, *TOY_LANGUAGES])
        language = name_key(reference.name)
        of_language = [
            entry.name
            for entry in self.entries
            # Some manifests add what kind of text it is, `Czech (legal texts)`.
            if name_key(entry.language.partition(" (")[0]) == language
        ]
        if of_language:
            hint = f"; did you mean {', '.join(of_language)}?"
        return CatalogueError(f"unknown treebank {name!r}{hint}\n  {self._searched()}")

    def _searched(self) -> str:
        if not self.data:
            return (
                f"no data folder was given: name one with --data DIR or in {DATA_VARIABLE}, "
                "or download treebanks with `treegauge data get`"
            )
        places = ", ".join(
            f"{place} ({counted(len(folder_scan.entries), 'treebank')})"
            for place, folder_scan in self._scans
        )
        lines = [f"searched {places}"]
        lines += [f"note: {remark}" for remark in self.remarks]
        lines.append(
            "`treegauge data list` shows what was found; name another folder with --data, "
            "or download with `treegauge data get`"
        )
        return "\n  ".join(lines)


def load(
    text: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
) -> Treebank:
    """Read a treebank by name or path, as the command line does.

    Parameters
    ----------
    text : str or path
        As for `Catalogue.resolve`: `en_ewt:dev`, `toy:svo`, a path. Without a part, the test
        part is read.
    data : path or paths
        Data folders, in addition to those in `TREEGAUGE_DATA`.

    Returns
    -------
    Treebank
        The treebank.

    Raises
    ------
    CatalogueError
        If there is no such treebank, or the text names several.
    FormatError
        If the file cannot be used.

    Examples
    --------
    >>> load("toy:svo:dev").name
    'toy:svo'
    """
    return Catalogue.from_environment(data).open(os.fspath(text))


def default_data_folder() -> Path:
    """Return the folder that downloads go to when none is named."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "treegauge" / "treebanks"
