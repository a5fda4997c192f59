"""Inducers that put types into classes by their neighbours, if they are frequent enough.

They need counts and nothing else of a text, so that they also learn from texts in shards.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.shards import numbered_text
from treegauge.shards.windows import CHUNK
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress, no_progress
from treegauge.systems.tag_induction.encoded_text import CountedText
from treegauge.systems.tag_induction.sharded_text import ShardedText
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
)


@dataclass(frozen=True)
class FrequentTypeSettings(WordClassSettings):
    """What these can be told."""

    min_count: int = setting(
        1,
        "smallest frequency of a type to be clustered; rarer types get a class by their suffix",
        minimum=1,
    )


class FrequentTypeInducer(WordClassInducer):
    """An inducer that leaves rare types to their suffixes."""

    settings_type = FrequentTypeSettings
    learns_from_shards: ClassVar[bool] = True

    def fit_shards(
        self,
        names: Iterable[str | os.PathLike[str]],
        *,
        format: str | None = None,
        executor: Executor | None = None,
        work_in: str | os.PathLike[str] | None = None,
        chunk: int = CHUNK,
        on_progress: OnProgress = no_progress,
    ) -> Self:
        """Learn from the words of many files, which need not fit in memory.

        What is learnt is what `fit` learns from all files one behind the other, to the last bit,
        whatever the executor and the chunks.

        Parameters
        ----------
        names : iterable of paths
            Files, folders or patterns, in order; plain or compressed, of any format.
        format : str, optional
            Of all files; found out for each when missing.
        executor : Executor, optional
            Where files are read and counted: `treegauge.runs.cluster_executor(ADDRESS)`, whose
            workers see the same paths. On threads when missing.
        work_in : path, optional
            A folder for some 30 bytes per word on disk, seen by all workers.
        chunk : int
            Words that are counted at once by a thread, some 40 bytes of memory each.

        Raises
        ------
        ShardError, FormatError
            If a file cannot be read to its end; the message names it.
        """
        with numbered_text(
            names,
            format=format,
            executor=executor,
            work_in=work_in,
            on_progress=lambda share: on_progress(0.2 * share, "reading shards"),
        ) as numbered:
            text = ShardedText.of(
                numbered,
                fold_case=self.settings.fold_case,
                conflate_digits=self.settings.conflate_digits,
                chunk=chunk,
                on_progress=lambda share: on_progress(0.2 + 0.2 * share, "counting neighbours"),
            )
            self.notes = ()
            classes = self._induce(text, lambda share, line: on_progress(0.4 + 0.6 * share, line))
            self._take_classes(text, classes)
        self.is_fitted = True
        return self

    @abstractmethod
    def _cluster(self, text: CountedText, on_progress: OnProgress) -> NDArray[np.int32]:
        """Return a class for every type of a text in which rare words have none."""

    def _induce(self, text: CountedText, on_progress: OnProgress) -> NDArray[np.int32]:
        frequent = text.frequent(self.settings.min_count)
        if not frequent.n_types:
            raise SystemsError(
                f"{self.name}: no word occurs {self.settings.min_count} times; lower min_count"
            )
        classes = np.full(text.n_types, -1, np.int32)
        classes[: frequent.n_types] = self._cluster(frequent, on_progress)
        return classes
