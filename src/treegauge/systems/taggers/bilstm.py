"""A bidirectional LSTM over words and characters, with an auxiliary loss (Plank et al. 2016).

A word is a vector of its own beside the last states of an LSTM over its characters, read both
ways (and, if wanted, one over its bytes). An LSTM over these, read both ways, gives a tag to
every word. While it learns, it also has to say how frequent the word is, int(ln count) in
training: words are then not told apart by frequency alone, which helps with rare ones.

The paper makes a step after every sentence; here sentences of like length are in batches, and
steps are Adam's. Words are replaced by an unknown one with probability w / (w + count), so
that the vector of unknown words is learnt. PyTorch comes with the extra `neural`; a GPU is used
if there is one, and the result then varies a little from run to run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.pytorch import (
    chosen_device,
    import_torch,
    memory_of_device,
    network_arrays,
    one_thread,
    restored_network,
    seeded,
)
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.treebank import Vocabulary


@dataclass(frozen=True)
class BilstmSettings(SequenceTaggerSettings):
    """What can be chosen about the network."""

    epochs: int = setting(20, "number of epochs", minimum=1)
    batch: int = setting(16, "sentences per step", minimum=1)
    rate: float = setting(2e-3, "learning rate; falls linearly to 0", minimum=0.0)
    word_size: int = setting(128, "size of word vectors", minimum=1)
    character_size: int = setting(100, "size of character vectors", minimum=1)
    character_hidden: int = setting(100, "size of the character LSTM per direction", minimum=1)
    hidden: int = setting(200, "size of the word LSTM per direction", minimum=1)
    layers: int = setting(2, "number of layers of the word LSTM", minimum=1)
    dropout: float = setting(0.5, "dropout rate", minimum=0.0, maximum=0.9)
    forgetting: float = setting(
        4.0, "w: a word seen n times is treated as unknown with probability w / (w + n)", minimum=0
    )
    noise: float = setting(
        0.0, "standard deviation of noise on the input; the paper has 0.2", minimum=0.0
    )
    bytes: bool = setting(False, "also read the bytes of words")
    frequency_of: Literal["word", "next", "none"] = setting(
        "word", "also predict the frequency of the word, of the next word, or none"
    )
    device: str = setting("auto", "the device: auto, cpu, cuda, or another PyTorch device")


class Bilstm(SequenceTagger):
    """A bidirectional LSTM over words and characters, in PyTorch."""

    name = "bilstm"
    settings_type = BilstmSettings
    is_deterministic = False
    seconds_per_word = 5e-3

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], on_progress: OnProgress
    ) -> None:
        import_torch(self.name)
        from treegauge.systems.neural.bilstm_training import train

        self._words = sentences.forms.vocabulary
        self._letters = Vocabulary.from_strings(sorted(set("".join(self._words))))
        largest = int(np.bincount(sentences.forms.codes).max())
        self._n_frequencies = frequency_class(largest) + 1
        device = self._device()
        with (
            seeded(self.name, self.seed, device),
            one_thread(self.name),
            memory_of_device(self.name, "choose a smaller batch"),
        ):
            self._network = self._new_network().to(device)
            train(
                self._network,
                self._reader(),
                sentences,
                gold,
                self.settings,
                np.random.default_rng(self.seed),
                on_progress,
            )

    def _tag(self, sentences: Sentences, on_progress: OnProgress) -> NDArray[np.int32]:
        from treegauge.systems.neural.bilstm_training import tag

        network = self._network.to(self._device())
        with one_thread(self.name):
            return np.asarray(tag(network, self._reader(), sentences, on_progress), np.int32)

    def _new_network(self) -> Any:
        import_torch(self.name)
        from treegauge.systems.neural.bilstm_network import UNKNOWN, Network, Sizes

        settings = self.settings
        sizes = Sizes(
            n_words=len(self._words) + UNKNOWN + 1,
            n_characters=len(self._letters) + UNKNOWN + 1,
            n_bytes=256 + UNKNOWN + 1 if settings.bytes else 0,
            n_tags=len(self._tags),
            n_frequencies=self._n_frequencies,
            word_size=settings.word_size,
            character_size=settings.character_size,
            character_hidden=settings.character_hidden,
            hidden=settings.hidden,
            layers=settings.layers,
        )
        return Network(sizes, dropout=settings.dropout, noise=settings.noise)

    def _reader(self) -> Any:
        from treegauge.systems.neural.bilstm_text import Reader

        return Reader(self._words, self._letters, reads_bytes=self.settings.bytes)

    def _device(self) -> str:
        """Return the name of the device that it runs on."""
        return chosen_device(self.settings.device, self.name)

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        _, facts = super()._state()
        arrays: Arrays = {
            **vocabulary_arrays(self._words, "words"),
            **vocabulary_arrays(self._letters, "letters"),
            **network_arrays(self._network),
        }
        facts["n_frequencies"] = self._n_frequencies
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self._words = saved.vocabulary("words")
        self._letters = saved.vocabulary("letters")
        self._n_frequencies = saved.whole_number("n_frequencies", least=1, below=100)
        if self.settings.layers > len(arrays):
            raise damaged("its weights do not fit its settings")
        self._network = restored_network(saved, self._new_network, self.name)


def frequency_class(count: int) -> int:
    """Return the class of a frequency: int(ln count).

    >>> [frequency_class(count) for count in (1, 2, 3, 20, 1000)]
    [0, 0, 1, 2, 6]
    """
    return int(math.log(count))
