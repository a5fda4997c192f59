"""The parser of Dozat and Manning: an LSTM over the sentence, and a product for every arc.

Words, letters, tags and features become vectors; an LSTM reads them both ways; the score of an
arc is a product of what a word is as a dependent and what another is as a head, and so is the
score of a relation. A tree is the best one by the scores of its arcs. Words also have the last
states of an LSTM over their letters (Dozat, Qi and Manning 2017).

The network and how it learns are in `systems/neural`, which needs PyTorch (extra `neural`) and
NumPy only: `write_codes` and `take_weights` let it learn on another machine.

References
----------
Dozat and Manning (2017), Deep biaffine attention for neural dependency parsing. ICLR.
Dozat, Qi and Manning (2017), Stanford's graph-based neural dependency parser at the CoNLL 2017
shared task. CoNLL.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.learning_elsewhere import LearnsElsewhere
from treegauge.systems.long_sentences import CUBIC, whole_up_to
from treegauge.systems.model_file import read_model, write_model
from treegauge.systems.neural.archive import fingerprint
from treegauge.systems.parsers.eisner import best_projective_tree
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.systems.parsers.spanning_trees import best_spanning_tree
from treegauge.systems.parsers.value_inventory import (
    FEATURES,
    LETTERS,
    VECTORS,
    ValueInventory,
    word_rows,
)
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.pytorch import (
    chosen_device,
    import_torch,
    memory_of_device,
    network_arrays,
    restored_network,
    seeded,
    threads_as_set,
)
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress, no_progress
from treegauge.systems.word_vectors import read_word_vectors
from treegauge.treebank import Column, Treebank, Vocabulary

_SIZES = {
    "full": {
        "form": 100,
        "lemma": 100,
        "upos": 100,
        "xpos": 100,
        "feature_size": 100,
        "letter_size": 100,
        "letter_hidden": 100,
        "layers": 3,
        "hidden": 400,
        "arc_size": 500,
        "relation_size": 100,
    },
    "small": {
        "form": 100,
        "lemma": 50,
        "upos": 50,
        "xpos": 50,
        "feature_size": 50,
        "letter_size": 32,
        "letter_hidden": 50,
        "layers": 2,
        "hidden": 200,
        "arc_size": 200,
        "relation_size": 64,
    },
}
"""Lengths of vectors and sizes of layers; `full` has those of the paper."""
_LEAST_EPOCHS, _LEAST_STEPS = 15, 1500
"""What is learnt where nobody says how long. Small treebanks need more epochs: on 12,000 words, 15
epochs reach 70 LAS and 100 epochs 82 (dev parts, `studies/neural-epochs-dev.toml`)."""
_PIECE = "epoch"
_PARSING_BATCH = 2000
"""Words of a batch that is parsed, padding counted."""
_ADVICE = "choose a smaller batch, or size=small"


@dataclass(frozen=True)
class BiaffineSettings(ParserSettings):
    """What can be chosen about the network."""

    size: Literal["small", "full"] = setting(
        "small", "network size: small for two cores, full as in the paper"
    )
    layers: int | None = setting(None, "number of LSTM layers; default: as in size", minimum=1)
    hidden: int | None = setting(
        None, "size of LSTMs per direction; default: as in size", minimum=1
    )
    decoder: Literal["cle", "eisner"] = setting(
        "cle", "all trees (cle) or projective ones (eisner)"
    )
    epochs: int | None = setting(
        None,
        f"largest number of epochs; default: {_LEAST_EPOCHS}, or more for small treebanks, so "
        f"that there are {_LEAST_STEPS:,} steps",
        minimum=1,
    )
    held_out: float = setting(
        0.0,
        "share of held-out sentences that choose the best epoch; 0: use the last epoch",
        minimum=0.0,
        maximum=0.5,
    )
    patience: int = setting(3, "epochs without improvement before training stops", minimum=1)
    batch: int = setting(1000, "words per step, including padding", minimum=1)
    rate: float = setting(2e-3, "learning rate; falls linearly to 0", minimum=0.0)
    dropout: float = setting(0.33, "dropout rate", minimum=0.0, maximum=0.9)
    column_dropout: float = setting(
        0.15, "dropout rate of whole columns of a word", minimum=0.0, maximum=0.9
    )
    forgetting: float = setting(
        0.5, "w: a value seen n times is treated as unknown with probability w / (w + n)", minimum=0
    )
    vectors: str | None = setting(None, "a file of word vectors in the text format of word2vec")
    most_vectors: int = setting(100_000, "number of words to read from that file", minimum=1)
    device: str = setting("auto", "the device: auto, cpu, cuda, or another PyTorch device")
    longest_whole: int = whole_up_to(CUBIC)


class Biaffine(Parser, LearnsElsewhere):
    """A network that scores all arcs of a sentence, in PyTorch."""

    name = "biaffine"
    settings_type = BiaffineSettings
    is_deterministic = False
    keeps_pieces = True

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        per_epoch = {"small": 1.5e-4, "full": 1.5e-3}[self.settings.size]
        epochs = self.settings.epochs or _LEAST_EPOCHS
        self.seconds_per_word = self.seconds_per_word + per_epoch * epochs

    # ------------------------------------------------------------------ learning

    def _learn(self, treebank: Treebank, on_progress: OnProgress) -> None:
        import_torch(self.name)
        from treegauge.systems.neural.biaffine_learning import learnt_network
        from treegauge.systems.neural.checkpoint import UnusableStateError

        arrays = self._codes_to_learn(treebank)
        device = self._device()
        work = self.partial_work
        with (
            seeded(self.name, self.seed, device),
            threads_as_set(self.name),
            memory_of_device(self.name, _ADVICE),
        ):
            try:
                self._network = learnt_network(
                    arrays,
                    self._facts_of_learning(),
                    seed=self.seed,
                    device=device,
                    on_progress=on_progress,
                    kept=work.piece(_PIECE),
                    keep=None if work.folder is None else lambda *state: work.keep(_PIECE, *state),
                )
            except UnusableStateError as error:
                raise SystemsError(
                    f"{work.folder}: what is kept there is damaged ({error})\n  remove the folder"
                ) from error
        self.notes = (f"{self.name} learnt on {device}",)

    def _codes_to_learn(self, treebank: Treebank) -> Arrays:
        """Number all values, and return the treebank in these numbers."""
        words, vectors = None, np.zeros((0, 0), np.float32)
        if self.settings.vectors is not None and "form" in self.columns:
            words, vectors = self._read_vectors(self.settings.vectors)
        self._inventory = ValueInventory.of(treebank, words)
        self._vector_size = vectors.shape[1]
        if not (self._inventory.columns or self._inventory.n_codes(FEATURES)):
            raise SystemsError(
                f"{self.name}: there is nothing to read: no word has {' or '.join(self.columns)}"
            )
        arrays = {**self._inventory.encode(treebank), **self._inventory.encode_trees(treebank)}
        if words is not None:
            n_before = self._inventory.n_codes(VECTORS) - len(vectors)
            arrays[VECTORS] = np.pad(vectors, ((n_before, 0), (0, 0)))
        self._allowed = arrays["allowed"]
        self._epochs = self._epochs_for(arrays["offsets"][-1])
        return arrays

    def _epochs_for(self, rows: int) -> int:
        """Return how often so many words and roots are seen."""
        steps = math.ceil(rows / self.settings.batch)
        least = math.ceil(_LEAST_STEPS / max(steps, 1))
        chosen: int | None = self.settings.epochs
        return chosen or max(_LEAST_EPOCHS, least)

    def _facts_of_learning(self) -> dict[str, Any]:
        """Return how large the network is and how it learns, as `neural` reads it."""
        chosen = ("batch", "rate", "forgetting", "held_out", "patience")
        learning = {name: getattr(self.settings, name) for name in chosen}
        return {**self._facts_of_network(), "learning": {"epochs": self._epochs, **learning}}

    def _facts_of_network(self) -> dict[str, Any]:
        """Return how large the network is."""
        chosen: BiaffineSettings = self.settings
        known = self._inventory
        sizes: dict[str, Any] = dict(_SIZES[chosen.size])
        of_columns = {name: sizes.pop(name) for name in ("form", "lemma", "upos", "xpos")}
        sizes["columns"] = {name: (known.n_codes(name), of_columns[name]) for name in known.columns}
        if known.n_codes(VECTORS):
            sizes["columns"][VECTORS] = (known.n_codes(VECTORS), self._vector_size)
        sizes["n_letters"] = known.n_codes(LETTERS)
        sizes["n_features"] = known.n_codes(FEATURES)
        sizes["n_relations"] = len(known.relations)
        sizes |= {
            name: value
            for name, value in (("layers", chosen.layers), ("hidden", chosen.hidden))
            if value is not None
        }
        return {
            "sizes": sizes,
            "dropout": chosen.dropout,
            "column_dropout": chosen.column_dropout,
        }

    def _read_vectors(self, path: str) -> tuple[Vocabulary, NDArray[np.float32]]:
        return read_word_vectors(path, most=self.settings.most_vectors)

    def _partial_work(
        self, treebank: Treebank, folder: str | os.PathLike[str], *, also_read: str = ""
    ) -> PartialWork:
        """Return the pieces that are there, if vectors are those that they were made with."""
        if self.settings.vectors is not None:
            words, vectors = self._read_vectors(self.settings.vectors)
            also_read += fingerprint({**vocabulary_arrays(words, "words"), "vectors": vectors})
        return super()._partial_work(treebank, folder, also_read=also_read)

    # ------------------------------------------------------------------ learning elsewhere

    def write_codes(self, treebank: Treebank, path: str | os.PathLike[str]) -> None:
        """Write a treebank as the numbers that `python -m neural` learns from."""
        arrays = self._codes_of(treebank)
        about = {"system": self.name, "settings": self.settings.to_dict(), "seed": self.seed}
        write_model(path, arrays, {**about, "facts": self._facts_of_learning()})

    def take_weights(self, treebank: Treebank, path: str | os.PathLike[str]) -> Self:
        """Take what `python -m neural` learnt from the codes of this treebank."""
        arrays = self._codes_of(treebank)
        weights, about = read_model(path)
        if about["facts"].get("codes") != fingerprint(arrays, self._facts_of_learning()):
            raise SystemsError(
                f"{path}: these weights are not of the codes of this treebank with these settings"
            )
        saved = SavedState(weights, about["facts"])
        self._network = restored_network(saved, self._new_network, self.name)
        self.is_fitted = True
        return self

    def _codes_of(self, treebank: Treebank) -> Arrays:
        seen = self.sees_in_training(treebank)
        return self._codes_to_learn(self._to_learn_from(seen, no_progress))

    # ------------------------------------------------------------------ parsing

    def _parse(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], Column]:
        from treegauge.systems.neural.biaffine_parsing import parse
        from treegauge.systems.neural.parser_codes import Codes

        blocks = self._blocks(treebank)
        find_tree = {"cle": best_spanning_tree, "eisner": best_projective_tree}
        best_tree = find_tree[self.settings.decoder]
        codes = Codes.from_arrays(self._inventory.encode(blocks.treebank))
        with threads_as_set(self.name), memory_of_device(self.name, "choose device=cpu"):
            heads, relations = parse(
                self._network.to(self._device()),
                codes,
                lambda scores: best_tree(scores, self.settings.single_root),
                self._allowed,
                words=_PARSING_BATCH,
                on_progress=lambda share: on_progress(share, f"{share:.0%} of sentences parsed"),
            )
        rows = word_rows(blocks.treebank)
        named = Column(relations[rows], self._inventory.relations).compact()
        return blocks.joined(heads[rows]), blocks.joined_relations(heads[rows], named)

    def memory_for(self, words: int) -> int:
        """Return the bytes of scores and charts."""
        return 130 * words**2

    def _device(self) -> str:
        """Return the name of the device that it runs on."""
        return chosen_device(self.settings.device, self.name)

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays = {
            **self._inventory.to_arrays(),
            **network_arrays(self._network),
            "allowed": self._allowed.astype(np.uint8),
        }
        return arrays, {"vector_size": self._vector_size}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._inventory = ValueInventory.restored(saved)
        self._vector_size = saved.whole_number("vector_size", below=2**20)
        shape = (2, len(self._inventory.relations))
        self._allowed = saved.integers("allowed", shape=shape, below=2).astype(np.bool_)
        if (self.settings.layers or 0) > len(arrays) or not self._allowed.any(axis=1).all():
            raise damaged("its weights do not fit its settings")
        self._network = restored_network(saved, self._new_network, self.name)

    def _new_network(self) -> Any:
        import_torch(self.name)
        from treegauge.systems.neural.biaffine_learning import new_network

        return new_network(self._facts_of_network())
