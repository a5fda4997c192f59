"""One treebank of the catalogue: what is known of it, and the way to its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from treegauge.catalogue.errors import CatalogueError
from treegauge.formats import Findings, read
from treegauge.treebank import Treebank, concatenate
from treegauge.treebank.parts import WHOLE

ANNOTATIONS = {
    "d": "annotated as dependencies",
    "p": "converted from phrase structure",
    "c": "converted, source unknown",
}
"""How the trees came about; nothing is written where nobody says."""


class PartSize(NamedTuple):
    """How large a part is."""

    sentences: int
    tokens: int
    """Syntactic words, as in `Treebank.n_words`."""


@dataclass(frozen=True)
class CatalogueEntry:
    """A treebank that was found. Its sentences are read when they are asked for.

    Attributes
    ----------
    name : str
        The short name, such as `en_ewt`.
    folder : Path
        The folder of its files.
    parts : mapping from part to files
        `train`, `dev`, `test`, each of one file or several (`-train-a`, `-train-b`). A single
        file that is not divided is the part `whole`.
    format : str
        The format of the files; empty if only reading can tell.
    language, iso : str
        The language and its code, such as `English` and `en`.
    licence, release, source, notes : str
        As recorded beside the files, or empty. `release` is a version (`2.16`) or another name
        of the state of the treebank.
    annotation : str
        A key of `ANNOTATIONS`, or empty.
    sizes : mapping from part to PartSize
        As recorded beside the files. Without a record, `size` counts.
    aliases : tuple of str
        Other names, such as `UD_English-EWT`.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in ("train", "test"):
    ...         treebank = tg.toy_treebank(part=part, tokens=100)
    ...         _ = tg.write(treebank, f"{folder}/xx_new-ud-{part}.conllu")
    ...     (entry,) = tg.Catalogue([folder]).entries
    ...     test = entry.read("test")
    ...     facts = entry.fingerprint(), entry.size(), [file.name for file in entry.files()]
    >>> entry.name, entry.default_part, list(entry.to_dict()["parts"])
    ('xx_new', 'test', ['train', 'test'])
    >>> test.name, facts[0] == test.fingerprint, facts[1].tokens == test.n_words, facts[2]
    ('xx_new', True, True, ['xx_new-ud-test.conllu'])
    """

    name: str
    folder: Path
    parts: Mapping[str, tuple[Path, ...]] = field(hash=False)
    format: str = ""
    language: str = ""
    iso: str = ""
    licence: str = ""
    release: str = ""
    annotation: str = ""
    source: str = ""
    notes: str = ""
    sizes: Mapping[str, PartSize] = field(default_factory=dict, hash=False)
    aliases: tuple[str, ...] = ()

    @property
    def default_part(self) -> str:
        """The part that is meant if none is named: test, or else the only one.

        Raises
        ------
        CatalogueError
            If there is no test part, and more than one other part.
        """
        if "test" in self.parts:
            return "test"
        if len(self.parts) == 1:
            return next(iter(self.parts))
        raise CatalogueError(self._lacks("test"))

    def files(self, part: str | None = None) -> tuple[Path, ...]:
        """Return the files of a part.

        Parameters
        ----------
        part : str, optional
            Default: `default_part`.

        Returns
        -------
        tuple of Path
            One file or several.

        Raises
        ------
        CatalogueError
            If there is no such part.
        """
        part = self.default_part if part is None else part
        if part not in self.parts:
            raise CatalogueError(self._lacks(part))
        return self.parts[part]

    def _lacks(self, part: str) -> str:
        if set(self.parts) == {WHOLE}:
            return (
                f"{self.name}: [part] expected a {part} part, found a single file\n"
                f"  {self.folder}: to divide it, name files train, dev and test in a folder"
            )
        first = next(iter(self.parts))
        return (
            f"{self.name}: [part] expected a {part} part, found only {', '.join(self.parts)}\n"
            f"  {self.folder}: name a part that is there, as in {self.name}:{first}"
        )

    def read(
        self,
        part: str | None = None,
        *,
        strict: bool = False,
        findings: list[Findings] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Treebank:
        """Read a part. Several files become one treebank.

        Parameters
        ----------
        part : "train", "dev" or "test", optional
            Default: `default_part`.
        strict, on_progress
            As for `treegauge.read`.
        findings : list of Findings, optional
            The findings of every file are added to it. Default: warnings are given with
            `warnings.warn`.

        Returns
        -------
        Treebank
            With the name of the entry.
        """
        treebanks = []
        for path in self.files(part):
            if findings is not None:
                findings.append(Findings())
            of_file = findings[-1] if findings else None
            treebanks.append(
                read(path, name=self.name, strict=strict, findings=of_file, on_progress=on_progress)
            )
        return treebanks[0] if len(treebanks) == 1 else concatenate(treebanks)

    def fingerprint(self, part: str | None = None) -> str:
        """Read a part and return the fingerprint of its content.

        Parameters
        ----------
        part : str, optional
            Default: `default_part`.

        Returns
        -------
        str
            The fingerprint, as `Treebank.fingerprint`.
        """
        return self.read(part, findings=[]).fingerprint

    def size(self, part: str | None = None) -> PartSize:
        """Return the size of a part: as recorded, otherwise by reading it.

        Parameters
        ----------
        part : str, optional
            Default: `default_part`.

        Returns
        -------
        PartSize
            The number of `sentences` and `tokens`.
        """
        part = self.default_part if part is None else part
        if part in self.sizes:
            return self.sizes[part]
        treebank = self.read(part, findings=[])
        return PartSize(treebank.n_sentences, treebank.n_words)

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as in JSON output.

        Returns
        -------
        dict
            The attributes. It has sizes only if they are recorded.
        """
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "language": self.language or None,
            "iso": self.iso or None,
            "licence": self.licence or None,
            "release": self.release or None,
            "annotation": self.annotation or None,
            "source": self.source or None,
            "format": self.format or None,
            "folder": str(self.folder),
            "parts": {part: [str(file) for file in files] for part, files in self.parts.items()},
            "sizes": {part: size._asdict() for part, size in self.sizes.items()},
            "notes": self.notes or None,
        }
