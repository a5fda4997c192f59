"""Inducers that put types into classes only if they are frequent enough."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import OnProgress
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
)


@dataclass(frozen=True)
class FrequentTypeSettings(WordClassSettings):
    """What these can be told."""

    min_count: int = setting(
        1, "how often a type must occur to be clustered; rarer ones go by their suffix", minimum=1
    )


class FrequentTypeInducer(WordClassInducer):
    """An inducer that leaves rare types to their suffixes."""

    settings_type = FrequentTypeSettings

    @abstractmethod
    def _cluster(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        """Return a class for every type of a text in which rare words are -1."""

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        frequent = text.frequent(self.settings.min_count)
        if not frequent.n_types:
            raise SystemsError(
                f"{self.name}: no word occurs {self.settings.min_count} times; lower min_count"
            )
        classes = np.full(text.n_types, -1, np.int32)
        classes[: frequent.n_types] = self._cluster(frequent, on_progress)
        return classes
