"""Word classes by latent Dirichlet allocation, and tags out of a tree of types.

First every type gets a distribution over classes: LDA, in which a type is a document and the
words beside its words are the document's words (`lda.py`). Then frequent types are merged into a
tree by the divergence of their distributions (`divergence_tree.py`); other types go with the
nearest of them. The tag of a word is the first part of its type's path from the root.

How long that part is, `depth`, was tuned on labelled development data in the paper, which an
experiment can do as well (`tune_on_dev`). There can then be more tags than classes, up to one for
each leaf: look at the number of tags before comparing scores, of which many-to-one rises with it.
Without it the tree is cut where as many parts are left as there are classes: paths are cut where
little is lost, some of them sooner than others. One length for all seldom gives as many tags: the
next longer gives many more.

References
----------
Chrupała (2011), Efficient induction of probabilistic word classes with LDA. IJCNLP.
Chrupała (2012), Hierarchical clustering of word class distributions. WILS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction.divergence_tree import DivergenceTree, nearest_leaves
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.lda import Lda, neighbour_tokens
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
)

_LOOK_EVERY = 10
"""Sweeps between looks at the joint probability."""
_SAMPLER_SHARE = 0.8
"""Of the time, about."""


@dataclass(frozen=True)
class LdaClassesSettings(WordClassSettings):
    """What can be chosen about classes and tree."""

    classes: int = setting(
        45, "number of LDA's classes; depth can give more tags than classes", minimum=1
    )
    depth: int | None = setting(
        None,
        "length of paths that are tags; none: as many tags as classes, from the last merges",
        minimum=0,
    )
    sweeps: int = setting(200, "sweeps of the sampler over all words", minimum=1)
    alpha: float = setting(10.0, "total prior of the classes of a type", minimum=1e-9)
    beta: float = setting(0.1, "prior of each feature of a class", minimum=1e-9)
    leaves: int = setting(1000, "number of most frequent types in the tree", minimum=1)


class LdaClasses(WordClassInducer):
    """Soft word classes, and tags out of a tree of types.

    Attributes
    ----------
    history : list of float
        The log joint probability at every look at it.
    """

    name = "lda-classes"
    settings_type = LdaClassesSettings
    is_deterministic = False
    seconds_per_word = 1e-4

    history: list[float]

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        settings = self.settings
        n_classes = min(settings.classes, text.n_types)
        distributions = self._sampled(text, n_classes, on_progress)
        n_leaves = min(settings.leaves, text.n_types)
        leaves = distributions[:n_leaves]
        tree = DivergenceTree.of(leaves, text.counts[:n_leaves].astype(np.float64))
        tags = tree.cut_into(n_classes) if settings.depth is None else tree.cut(settings.depth)
        rest = tags[nearest_leaves(leaves, distributions[n_leaves:])]
        on_progress(1.0, f"{tags.max() + 1:,} tags")
        return np.concatenate([tags, rest])

    def _sampled(
        self, text: EncodedText, n_classes: int, on_progress: OnProgress
    ) -> NDArray[np.float64]:
        """Return P(class | type)."""
        sweeps = self.settings.sweeps
        generator = np.random.default_rng(self.seed)
        types, features, n_features = neighbour_tokens(text)
        model = Lda(
            types,
            features,
            generator.integers(0, n_classes, len(types)).astype(np.int32),
            n_types=text.n_types,
            n_features=n_features,
            n_classes=n_classes,
            alpha=self.settings.alpha / n_classes,
            beta=self.settings.beta,
        )
        self.history = []
        for i in range(sweeps):
            moves = model.sweep(generator)
            if (i + 1) % _LOOK_EVERY and i + 1 < sweeps:
                continue
            self.history.append(model.log_joint())
            on_progress(
                _SAMPLER_SHARE * (i + 1) / sweeps,
                f"sweep {i + 1}: {self.history[-1]:.1f}, {moves:,} neighbours moved",
            )
        return model.type_distributions()

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {"history": self.history}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        self.history = SavedState(arrays, facts).series("history")
