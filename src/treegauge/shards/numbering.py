"""The first pass: a number for every type, and the text on disk as numbers.

Every shard numbers its own types by first occurrence. Merged in the order of shards, the
numbers are those that one process gives that reads everything from the beginning: which type
comes first does not depend on who read it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import FormatError, read_pieces
from treegauge.shards.errors import ShardError
from treegauge.shards.files import shard_files
from treegauge.shards.passes import GivenUp, in_order, stop_if
from treegauge.temporaries import replacing, temporary_folder
from treegauge.treebank import Interner, Vocabulary


@dataclass(frozen=True)
class NumberedShard:
    """A shard as numbers on disk; `words.i32` and `lengths.i32` of its folder."""

    name: str
    folder: Path
    n_words: int
    n_sentences: int

    def words(self, first: int, last: int) -> NDArray[np.int32]:
        """Return some of its words, as the shard numbers them."""
        path = self.folder / "words.i32"
        return np.fromfile(path, np.int32, last - first, offset=4 * first)

    def lengths(self) -> NDArray[np.int32]:
        """Return the words of every sentence."""
        return np.fromfile(self.folder / "lengths.i32", np.int32)

    def codes(self) -> NDArray[np.int32]:
        """Return the code in the whole text of every type of the shard."""
        codes: NDArray[np.int32] = np.fromfile(self.folder / "codes.i32", np.int32)
        return codes


@dataclass(frozen=True)
class NumberedText:
    """A text in shards, its types numbered by first occurrence."""

    shards: tuple[NumberedShard, ...]
    vocabulary: Vocabulary
    counts: NDArray[np.int64]
    """How often every type occurs."""
    folder: Path
    """For further passes; all workers see it."""
    executor: Executor | None = None

    @property
    def n_words(self) -> int:
        """The words of all shards."""
        return sum(shard.n_words for shard in self.shards)

    @property
    def n_sentences(self) -> int:
        """The sentences of all shards; none of them is empty."""
        return sum(shard.n_sentences for shard in self.shards)


@contextlib.contextmanager
def numbered_text(
    names: Iterable[str | os.PathLike[str]],
    *,
    format: str | None = None,
    executor: Executor | None = None,
    work_in: str | os.PathLike[str] | None = None,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> Iterator[NumberedText]:
    """Read a text in shards once, and give it as numbers on disk, which are removed in the end.

    Parameters
    ----------
    names : iterable of paths
        Files, folders or patterns (see `shard_files`), plain or compressed, of any format.
    format : str, optional
        Of all shards; found out for each when missing.
    executor : Executor, optional
        Where shards are read; on threads when missing. Workers elsewhere read the same paths.
    work_in : path, optional
        Where numbers are kept: four bytes per word, and more in later passes. Workers elsewhere
        must see the same folder. Where the system has its temporary files when missing.

    Raises
    ------
    ShardError, FormatError
        If a shard cannot be read to its end; the message names it.
    """
    files = shard_files(names)
    with temporary_folder(None if work_in is None else Path(work_in).absolute()) as folder:
        yield _numbered(files, format, executor, folder, on_progress)


def _numbered(
    files: tuple[Path, ...],
    format: str | None,
    executor: Executor | None,
    folder: Path,
    on_progress: Callable[[float], None],
) -> NumberedText:
    tasks = [
        (str(file.absolute()), format, folder / f"shard-{number:05d}")
        for number, file in enumerate(files)
    ]
    interner = Interner()
    counts = np.zeros(0, np.int64)
    shards: list[NumberedShard] = []
    results = in_order(number_shard, tasks, executor, [str(file) for file in files])
    for shard, vocabulary, own_counts in results:
        codes = interner.add_vocabulary(vocabulary)
        if len(interner) > len(counts):
            # Twice as long each time: a few copies of a large array, not one per shard.
            longer = np.zeros(2 * len(interner), np.int64)
            longer[: len(counts)] = counts
            counts = longer
        counts[codes] += own_counts
        codes.tofile(shard.folder / "codes.i32")
        shards.append(shard)
        on_progress(len(shards) / len(files))
    return NumberedText(
        tuple(shards), interner.vocabulary(), counts[: len(interner)].copy(), folder, executor
    )


def number_shard(
    name: str, format: str | None, folder: Path, given_up: GivenUp | None = None
) -> tuple[NumberedShard, Vocabulary, NDArray[np.int64]]:
    """Write a shard as numbers; return it, its types by first occurrence, and their counts.

    Files are written under other names and renamed, so that a shard can be numbered again when
    its worker was killed.
    """
    folder.mkdir(exist_ok=True)
    interner = Interner()
    counts = np.zeros(0, np.int64)
    n_sentences = 0
    try:
        with (
            replacing(folder / "words.i32") as words_file,
            replacing(folder / "lengths.i32") as lengths_file,
            words_file.open("wb") as words,
            lengths_file.open("wb") as lengths,
        ):
            for piece in read_pieces(name, format=format):
                stop_if(given_up)
                column = piece.form.canonical()
                codes = interner.add_vocabulary(column.vocabulary)[column.codes]
                own = np.bincount(codes, minlength=len(interner))
                own[: len(counts)] += counts
                counts = own
                sentences = piece.lengths[piece.lengths > 0].astype(np.int32)
                codes.astype(np.int32).tofile(words)
                sentences.tofile(lengths)
                n_sentences += len(sentences)
    except FormatError as error:
        if name in str(error):
            raise
        raise ShardError(f"{name}: {error}") from error
    if not n_sentences:
        raise ShardError(f"{name}: this shard has no words")
    shard = NumberedShard(name, folder, int(counts.sum()), n_sentences)
    return shard, interner.vocabulary(), counts
