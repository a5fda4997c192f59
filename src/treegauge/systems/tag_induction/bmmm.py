"""The Bayesian multinomial mixture model: types with like features are in one class.

The features of a type are the words beside it, of which the most frequent are told apart, its
suffix, its shape, and, when a parser was there before, the classes of the words it depends on.
A class generates every one of them independently (`type_mixture.py`).

The paper takes suffixes from Morfessor; here the suffix of a word is the longest that enough
types share. The sampler runs at a temperature that falls from 2 to 1, and is sharpened towards
the end; the state with the greatest joint probability among those looked at is returned.

References
----------
Christodoulopoulos, Goldwater and Steedman (2011), and (2012) for dependencies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, no_progress
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.type_features import (
    FeatureKind,
    dependency_features,
    neighbour_features,
    shape_features,
    suffix_features,
)
from treegauge.systems.tag_induction.type_mixture import TypeMixture
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
)

_SHARPENED = 0.2
"""The last share of sweeps, in which the exponent grows four times by a factor."""
_FACTOR = 1.11


@dataclass(frozen=True)
class BmmmSettings(WordClassSettings):
    """What can be chosen about the mixture."""

    context_words: int = setting(
        100, "number of most frequent types that are distinguished as neighbours", minimum=0
    )
    suffix_length: int = setting(5, "length of the longest suffixes; 0: no suffixes", minimum=0)
    suffix_types: int = setting(
        20, "number of types that must share a suffix for it to be used", minimum=1
    )
    shapes: bool = setting(True, "use capitals, digits, hyphens and punctuation")
    sweeps: int = setting(500, "sweeps of the sampler over all types", minimum=1)
    check_every: int = setting(
        5, "sweeps between draws of the priors and computations of the joint probability", minimum=1
    )
    alpha: float = setting(0.1, "initial prior of classes", minimum=1e-9)
    beta: float = setting(0.1, "initial priors of features", minimum=1e-9)


class Bmmm(WordClassInducer):
    """The Bayesian multinomial mixture model.

    Attributes
    ----------
    history : list of float
        The log joint probability at every look at it.
    priors : dict
        The parameters of the Dirichlet distributions of the state that is returned.
    """

    name = "bmmm"
    settings_type = BmmmSettings
    is_deterministic = False
    seconds_per_word = 3e-4

    history: list[float]
    priors: dict[str, float]

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        return self.induce(text, on_progress=on_progress)

    def induce(
        self,
        text: EncodedText,
        *,
        head_classes: ArrayLike | None = None,
        begin: NDArray[np.int32] | None = None,
        on_progress: OnProgress = no_progress,
    ) -> NDArray[np.int32]:
        """Return a class for every type.

        Parameters
        ----------
        text : EncodedText
            The words.
        head_classes : array of int, optional
            How often words of a type depend on words of a class, [type, class], however classes
            are numbered; see `count_head_classes`.
        begin : array of int, optional
            Classes to begin with; random ones if there are none.
        on_progress : callable
            Is told how far it is.
        """
        n_classes = min(self.settings.classes, text.n_types)
        generator = np.random.default_rng(self.seed)
        if begin is None:
            begin = generator.integers(0, n_classes, text.n_types).astype(np.int32)
        elif len(begin) != text.n_types or begin.min() < 0 or begin.max() >= n_classes:
            raise SystemsError(
                f"{self.name}: begin needs a class from 0 to {n_classes - 1} for each of "
                f"{text.n_types} types"
            )
        kinds = self._kinds(text, head_classes)
        mixture = TypeMixture(
            kinds, begin, n_classes, alpha=self.settings.alpha, beta=self.settings.beta
        )
        return self._sampled(mixture, [kind.name for kind in kinds], generator, on_progress)

    def _kinds(self, text: EncodedText, head_classes: ArrayLike | None) -> list[FeatureKind]:
        settings = self.settings
        kinds = [neighbour_features(text, side, settings.context_words) for side in (-1, 1)]
        if settings.suffix_length:
            kinds.append(suffix_features(text, settings.suffix_length, settings.suffix_types))
        if settings.shapes:
            kinds.append(shape_features(text))
        if head_classes is not None:
            kinds.append(dependency_features(head_classes))
            if kinds[-1].n_types != text.n_types:
                raise SystemsError(
                    f"{self.name}: head classes of {kinds[-1].n_types} types were given, the "
                    f"text has {text.n_types}"
                )
        return kinds

    def _sampled(
        self,
        mixture: TypeMixture,
        names: list[str],
        generator: np.random.Generator,
        on_progress: OnProgress,
    ) -> NDArray[np.int32]:
        sweeps, every = self.settings.sweeps, self.settings.check_every
        self.history = []
        for i in range(sweeps):
            mixture.sweep(temperature_at(i / sweeps), generator)
            if (i + 1) % every and i + 1 < sweeps:
                continue
            joint = mixture.log_joint()
            if not self.history or joint > max(self.history):
                best = mixture.classes.copy()
                self.priors = {"classes": mixture.priors.alpha} | dict(
                    zip(names, mixture.priors.betas.tolist(), strict=True)
                )
            self.history.append(joint)
            mixture.resample_priors(generator)
            on_progress((i + 1) / sweeps, f"sweep {i + 1}: {joint:.1f}")
        return best

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {"history": self.history, "priors": self.priors}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.history = saved.series("history")
        priors = saved.table("priors")
        self.priors = {name: priors.number(name) for name in priors.fact_names}


def temperature_at(share: float) -> float:
    """Return the temperature after a share of the sweeps, as the authors' program has it.

    >>> [round(temperature_at(share), 3) for share in (0, 0.2, 0.49, 0.5, 0.79, 0.8, 0.99)]
    [1.881, 1.5, 1.052, 1.0, 1.0, 0.901, 0.659]
    """
    if share < 0.5:
        return float(1 + 1 / (1 + np.exp(10 * (share - 0.2))))
    steps = np.floor((share - (1 - _SHARPENED)) / _SHARPENED * 4 + 1e-9) + 1
    return float(_FACTOR ** -max(steps, 0))
