"""Pieces of long work, kept in a folder until the whole is done.

A system that learns for hours (samplers with many chains) keeps every piece that is done:
what is interrupted goes on with the pieces that there are. A piece belongs to a system, its
settings and seed, the text and the code; pieces of anything else are removed, and a warning
says what has changed. Nothing in the folder is believed before it is checked: pieces are read
as models are.
"""

from __future__ import annotations

import contextlib
import os
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from treegauge.errors import reason_of
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.systems.model_file import read_model, write_model

SUFFIX = ".partial"
"""Of the folder beside what a command writes in the end."""
_PIECE = ".piece"
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_MOST_BYTES = 2**34
_IN_WORDS = {
    "system": "another system",
    "settings": "other settings",
    "seed": "another seed",
    "text": "another text",
    "code": "another version of the code",
}

Arrays = dict[str, NDArray[Any]]


class PartialWork:
    """The pieces of the work of one system. Without a folder, nothing is kept.

    Parameters
    ----------
    folder : path, optional
        Where pieces are kept. It is made with the first piece.
    system, settings, seed
        The system that the pieces belong to.
    text, code : str
        The fingerprint of everything that is learnt from, and the version of the sources.

    Examples
    --------
    >>> work = PartialWork()
    >>> work.keep("chain0", {}, {"log_joint": -3.0})
    >>> work.piece("chain0") is None
    True
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     work = PartialWork(f"{folder}/pieces", system="tsg-dmv")
    ...     work.keep("chain0", {}, {"log_joint": -3.0})
    ...     print(work.piece("chain0"), work.names)
    ...     PartialWork.unseen(f"{folder}/pieces").remove()
    ({}, {'log_joint': -3.0}) ('chain0',)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        system: str = "",
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        text: str = "",
        code: str = "",
    ) -> None:
        self.folder = None if folder is None else Path(folder)
        self._owner = {
            "system": system,
            "settings": dict(settings or {}),
            "seed": seed,
            "text": text,
            "code": code,
        }
        self._kept: dict[str, tuple[Arrays, dict[str, Any]]] = {}
        if self.folder is not None and self.folder.is_dir():
            self._look(self.folder)

    @classmethod
    def unseen(cls, folder: str | os.PathLike[str]) -> PartialWork:
        """Return a folder of pieces of any system, which can only be removed.

        Parameters
        ----------
        folder : path
            The folder.

        Returns
        -------
        PartialWork
            Without pieces.
        """
        work = cls()
        work.folder = Path(folder)
        return work

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the pieces that exist."""
        return tuple(sorted(self._kept))

    def piece(self, name: str) -> tuple[Arrays, dict[str, Any]] | None:
        """Return the arrays and facts of a piece that was finished before.

        Parameters
        ----------
        name : str
            The name of the piece.

        Returns
        -------
        (dict of arrays, dict) or None
            None if the piece does not exist.
        """
        return self._kept.get(name)

    def keep(self, name: str, arrays: Arrays, facts: dict[str, Any]) -> None:
        """Write a piece. It is written completely or not at all.

        Parameters
        ----------
        name : str
            The name of the piece: letters, digits and hyphens.
        arrays : dict
            Arrays by name.
        facts : dict
            Everything else, as JSON can store it.

        Raises
        ------
        ValueError
            If the name is not allowed.
        SystemsError
            If the folder cannot be made.
        """
        if self.folder is None:
            return
        if not _NAME.fullmatch(name):
            raise ValueError(f"no name for a piece: {name!r}")
        path = _path(self.folder, name)
        owner = {key: self._owner[key] for key in ("system", "settings", "seed")}
        own_facts = {"text": self._owner["text"], "code": self._owner["code"], "facts": facts}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SystemsError(f"{self.folder}: cannot be made: {reason_of(error)}") from None
        write_model(path, arrays, {**owner, "facts": own_facts})
        self._kept[name] = arrays, facts

    def remove(self) -> None:
        """Remove all pieces, and the folder if nothing else is in it."""
        self._kept.clear()
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            for path in self.folder.glob(f"*{_PIECE}"):
                path.unlink()
            self.folder.rmdir()

    def _look(self, folder: Path) -> None:
        """Take what belongs to this work, and remove what does not."""
        changed: set[str] = set()
        for path in sorted(folder.glob(f"*{_PIECE}")):
            try:
                arrays, about = read_model(path, max_bytes=_MOST_BYTES)
                owner, facts = _owner_and_facts(about)
            except SystemsError:  # a piece that cannot be read is a piece that is not done
                path.unlink(missing_ok=True)
                continue
            differs = {key for key in self._owner if owner.get(key) != self._owner[key]}
            if differs:
                changed |= differs
                path.unlink(missing_ok=True)
            else:
                self._kept[path.name.removesuffix(_PIECE)] = arrays, facts
        if changed:
            what = " and ".join(_IN_WORDS[key] for key in self._owner if key in changed)
            warnings.warn(
                f"{folder} is of {what}: the work starts anew", SystemsWarning, stacklevel=4
            )


def read_piece(folder: Path, name: str) -> bytes:
    """Return a piece as it is sent to another machine.

    Raises
    ------
    SystemsError
        If it is not there.
    """
    try:
        return _path(folder, name).read_bytes()
    except OSError as error:
        raise SystemsError(f"the piece {name} was not kept: {reason_of(error)}") from None


def write_pieces(folder: Path, pieces: Mapping[str, bytes]) -> None:
    """Put pieces that were done elsewhere into a folder."""
    for name, content in pieces.items():
        _path(folder, name).write_bytes(content)


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}{_PIECE}"


def _owner_and_facts(about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    match about["facts"]:
        case {"text": str(text), "code": str(code), "facts": dict(facts)}:
            owner = {key: about[key] for key in ("system", "settings", "seed")}
            return {**owner, "text": text, "code": code}, facts
    raise SystemsError("this is no piece of work")
